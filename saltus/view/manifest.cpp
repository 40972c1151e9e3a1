#include "saltus/view/manifest.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "saltus/io/result/channel_index.hpp"
#include "saltus/io/result/result_layout.hpp"

namespace saltus {

namespace {

using nlohmann::json;

// The most channels of a body: no one looks at more, and many bodies of one system would each list all its states.
constexpr std::size_t most_columns = 60;

json numbers(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

struct ShapeWriter {
    json operator()(const Sphere& s) const { return {{"type", "sphere"}, {"radius", s.radius}}; }
    json operator()(const Cuboid& s) const { return {{"type", "box"}, {"size", numbers(s.size)}}; }
    json operator()(const Cylinder& s) const {
        return {{"type", "cylinder"}, {"radius", s.radius}, {"length", s.length}};
    }
    json operator()(const Capsule& s) const {
        return {{"type", "capsule"}, {"radius", s.radius}, {"length", s.length}};
    }
    json operator()(const Plane& s) const { return {{"type", "plane"}, {"size", {s.size.x(), s.size.y()}}}; }
    json operator()(const Segment& s) const { return {{"type", "segment"}, {"radius", s.radius}}; }
    json operator()(const Coil& s) const { return {{"type", "spring"}, {"radius", s.radius}, {"turns", s.turns}}; }
    json operator()(const TriangleMesh& s) const {
        json vertices = json::array(), triangles = json::array();
        for (const Eigen::Vector3d& vertex : s.vertices)
            for (const double x : vertex) vertices.push_back(x);
        for (const auto& triangle : s.triangles)
            for (const int corner : triangle) triangles.push_back(corner);
        return {{"type", "mesh"}, {"vertices", vertices}, {"triangles", triangles}};
    }
};

json interactions_of(const ResultView& view) {
    const ChannelIndex index(view.result().channels());
    json result = json::array();
    for (Index k = 0; k < view.places().interactions(); ++k) {
        const std::string& name = view.result().interactions()[static_cast<std::size_t>(k)];
        json places = json::array();
        for (const PlaceHistory::Row& row : view.places().rows(k))
            places.push_back(row.is_known ? static_cast<int>(row.initial) : -1);
        result.push_back(
            {{"name", name}, {"kind", index.has(name, "gap") ? "contact" : "law"}, {"places", std::move(places)}});
    }
    return result;
}

json plots_of(const ResultView& view, const ViewChoice& choice) {
    std::vector<PlotChoice> plots;
    for (const std::vector<std::string>& names : choice.plots) {
        PlotChoice plot{.title = fmt::format("{}", fmt::join(names, ", "))};
        for (const std::string& name : names) plot.columns.push_back(view.column(name));
        plots.push_back(std::move(plot));
    }
    if (plots.empty()) plots = view.default_plots();
    json result = json::array();
    for (const PlotChoice& plot : plots)
        result.push_back({{"title", plot.title}, {"columns", plot.columns}, {"logarithmic", false}});
    return result;
}

json phases_of(const ResultView& view, const ViewChoice& choice) {
    std::vector<PhaseChoice> phases;
    for (const auto& [x, y] : choice.phases)
        phases.push_back({fmt::format("{} over {}", y, x), view.column(x), view.column(y)});
    if (phases.empty()) phases = view.default_phases();
    json result = json::array();
    for (const PhaseChoice& phase : phases) result.push_back({{"title", phase.title}, {"x", phase.x}, {"y", phase.y}});
    return result;
}

json columns_of(const ResultView& view) {
    json result = json::array();
    for (const ViewColumn& column : view.columns())
        result.push_back({{"name", column.name}, {"group", to_string(column.group)}, {"present", true}});
    return result;
}

json health_of(const ResultView& view) {
    const bool has_all = view.result().has_health();
    return {{"residual", view.column("run.residual")},
            {"iterations", has_all ? json(view.column("run.iterations")) : json()},
            {"seconds", has_all ? json(view.column("run.seconds")) : json()}};
}

// What a reader must know before trusting the curves.
std::vector<std::string> warnings_of(const ResultView& view, const RunSummary& summary) {
    std::vector<std::string> result = view.warnings();
    if (summary.end == "running" && !view.result().is_live())
        result.push_back("the run did not end in order: this is what it wrote until then");
    if (summary.unsolved > 0)
        result.push_back(fmt::format("{} steps were taken though not solved; the results after the first are wrong",
                                     summary.unsolved));
    if (summary.retried > 0) result.push_back(fmt::format("{} steps were divided to be solved", summary.retried));
    std::size_t told = 0;
    for (const FailedStep& failure : view.result().failures()) {
        if (++told > 5) break;
        result.push_back(fmt::format("the step to t = {:.9g} {}{}{}", failure.t,
                                     failure.is_taken ? "was taken though not solved"
                                     : failure.halvings > 0
                                         ? fmt::format("was divided {} times by two", failure.halvings)
                                         : "could not be solved",
                                     failure.solve.message.empty() ? "" : ": ", failure.solve.message));
    }
    return result;
}

}  // namespace

json make_manifest(const ResultView& view, const ViewChoice& choice, const std::string& file) {
    const ResultReader& result = view.result();
    const RunSummary& summary = result.summary();
    json words = json::object();
    visit_summary(summary, [&](const char* key, const auto& value) { words[key] = value; });
    if (summary.end == "running")  // they are known at its end
        for (const char* key : {"steps", "switches", "worst_residual"}) words[key] = nullptr;
    const Index samples = result.samples();
    return {
        {"format", "saltus-page"},
        {"version", 1},
        {"file", file},
        {"run", result.run()},
        {"summary", words},
        {"description", view.description()},
        {"kind", view.is_mechanical() ? "lagrangian" : "first-order"},
        {"model", result.model_text()},
        {"samples", samples},
        {"t_first", samples > 0 ? result.time(0) : 0.0},
        {"t_last", samples > 0 ? result.time(samples - 1) : 0.0},
        {"columns", columns_of(view)},
        {"missing", 0},
        {"interactions", interactions_of(view)},
        {"plots", plots_of(view, choice)},
        {"phases", phases_of(view, choice)},
        {"health", health_of(view)},
        {"marks",
         {{"switches", result.switch_count()}, {"impacts", result.impact_count()}, {"events", result.event_count()}}},
        {"scene", nullptr},
        {"warnings", warnings_of(view, summary)},
        {"blocks", json::object()},
        {"live", result.is_live()}};
}

json scene_of(const ResultView& view, const std::vector<double>& frame_times, const SceneExtent& extent) {
    const Scene& scene = view.scene();
    if (scene.is_empty() || frame_times.empty()) return nullptr;
    const ChannelIndex index(view.result().channels());
    json bodies = json::array(), contacts = json::array();
    for (const DrawnBody& body : scene.bodies) {
        json columns = json::array();
        for (const std::string& system : body.systems)
            for (const char* kind : {"q", "v", "x"})
                for (const Index channel : index.find(system, kind))
                    if (columns.size() < most_columns) columns.push_back(channel);
        bodies.push_back({{"name", body.name},
                          {"shape", std::visit(ShapeWriter{}, body.shape)},
                          {"color", body.color.empty() ? json() : json(body.color)},
                          {"columns", std::move(columns)}});
    }
    for (const DrawnContact& contact : scene.contacts)
        contacts.push_back({{"name", contact.name}, {"interaction", contact.interaction}, {"column", contact.gap}});
    return {{"bodies", bodies},
            {"contacts", contacts},
            {"frame_times", frame_times},
            {"bounds", {{"low", numbers(extent.low)}, {"high", numbers(extent.high)}}},
            {"largest_force", extent.largest_force}};
}

std::string page_text(const json& data) {
    const std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
    std::string result;
    result.reserve(text.size());
    for (const char c : text) {
        if (c == '<')
            result += "\\u003c";  // only texts have it
        else
            result += c;
    }
    return result;
}

}  // namespace saltus
