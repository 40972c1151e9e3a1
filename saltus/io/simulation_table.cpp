#include "saltus/io/simulation_table.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

class SimulationReader {
public:
    SimulationReader(const ModelTables& tables, const toml::table& table, bool is_mechanical)
        : tables_(tables), reader_(tables.reader()), table_(table), is_mechanical_(is_mechanical) {}

    TimeStepping read() const {
        reader_.check_keys(table_, "simulation.",
                           {"step", "t_end", "scheme", "theta", "gamma", "measures", "band", "projection", "facets",
                            "spectral_radius", "tolerance", "min_step", "accumulation", "record_every"});
        TimeStepping simulation;
        simulation.step = required("step");
        simulation.t_end = required("t_end");
        simulation.record_every = record_every();
        simulation.scheme = scheme();
        return simulation;
    }

private:
    std::string key(std::string_view name) const { return fmt::format("simulation.{}", name); }

    double required(std::string_view name) const {
        const toml::node* node = table_.get(name);
        if (!node) reader_.fail(table_, key(name), "is missing; give a number");
        return reader_.number(*node, key(name));
    }

    void read_number(std::string_view name, double& value) const {
        if (const toml::node* node = table_.get(name)) value = reader_.number(*node, key(name));
    }

    long record_every() const {
        double every = 1.0;
        read_number("record_every", every);
        if (!(every >= 1.0 && every <= 1e15 && every == std::floor(every)))
            reader_.fail(*table_.get("record_every"), key("record_every"),
                         fmt::format("is {}; give a whole number, 1 or more", every));
        return static_cast<long>(every);
    }

    // The options of other schemes are a mistake that would go unnoticed.
    void refuse(std::initializer_list<std::string_view> names, std::string_view scheme) const {
        for (const std::string_view name : names)
            if (const toml::node* node = table_.get(name))
                reader_.fail(*node, key(name), fmt::format("is no option of the scheme \"{}\"; delete it", scheme));
    }

    // Not given: the structure of the model decides.
    std::optional<Scheme> scheme() const { return is_mechanical_ ? mechanical_scheme() : first_order_scheme(); }

    std::optional<Scheme> mechanical_scheme() const {
        refuse({"gamma", "measures", "band"}, MoreauJean::name);
        const toml::node* node = table_.get("scheme");
        const std::string name = node ? reader_.text(*node, key("scheme")) : std::string(MoreauJean::name);
        const std::vector<std::string> names{std::string(MoreauJean::name),     std::string(SchatzmanPaoli::name),
                                             std::string(StewartTrinkle::name), std::string(AnitescuPotra::name),
                                             std::string(D1Minus::name),        std::string(GeneralisedAlpha::name),
                                             std::string(EventDriven::name)};
        if (std::ranges::count(names, name) == 0) tables_.unknown(*node, key("scheme"), "scheme", name, names);
        refuse({"gamma", "measures", "band"}, name);
        if (name != names[0]) refuse({"theta", "projection", "min_step"}, name);
        if (name != names[0] && name != names[6]) refuse({"tolerance"}, name);
        if (name != names[6]) refuse({"accumulation"}, name);
        if (name != names[2] && name != names[3]) refuse({"facets"}, name);
        if (name != names[5]) refuse({"spectral_radius"}, name);
        if (name == names[1]) return SchatzmanPaoli{};
        if (name == names[2]) return checked(StewartTrinkle{.facets = facets()});
        if (name == names[3]) return checked(AnitescuPotra{.facets = facets()});
        if (name == names[4]) return D1Minus{};
        if (name == names[5]) return generalised_alpha();
        if (name == names[6]) return event_driven();
        const bool is_default = !node && !table_.contains("theta") && !table_.contains("projection") &&
                                !table_.contains("tolerance") && !table_.contains("min_step");
        if (is_default) return std::nullopt;
        return moreau_jean();
    }

    int facets() const {
        double count = 0.0;
        read_number("facets", count);
        if (!(count >= 0.0 && count <= 1000.0 && count == std::floor(count)))
            reader_.fail(*table_.get("facets"), key("facets"), fmt::format("is {}; give a whole number", count));
        return static_cast<int>(count);
    }

    GeneralisedAlpha generalised_alpha() const {
        GeneralisedAlpha result;
        read_number("spectral_radius", result.spectral_radius);
        return checked(result);
    }

    EventDriven event_driven() const {
        EventDriven result;
        read_number("tolerance", result.tolerance);
        read_number("accumulation", result.accumulation);
        return checked(result);
    }

    MoreauJean moreau_jean() const {
        MoreauJean result;
        read_number("theta", result.theta);
        if (const toml::node* node = table_.get("projection")) {
            const std::vector<std::string> names{"none", "direct", "combined"};
            const std::string name = reader_.text(*node, key("projection"));
            const auto found = std::find(names.begin(), names.end(), name);
            if (found == names.end()) tables_.unknown(*node, key("projection"), "projection", name, names);
            result.projection = static_cast<Projection>(found - names.begin());
        }
        result.control = control();
        return checked(result);
    }

    std::optional<StepControl> control() const {
        if (!table_.contains("tolerance")) {
            refuse({"min_step"}, "moreau-jean without tolerance");
            return std::nullopt;
        }
        StepControl result;
        read_number("tolerance", result.tolerance);
        read_number("min_step", result.min_step);
        return checked(result, required("step"));
    }

    std::optional<Scheme> first_order_scheme() const {
        refuse({"projection", "facets", "spectral_radius", "tolerance", "min_step", "accumulation"}, EulerMoreau::name);
        const toml::node* node = table_.get("scheme");
        if (!node) {
            refuse({"band"}, EulerMoreau::name);
            if (table_.contains("theta") || table_.contains("gamma") || table_.contains("measures"))
                return euler_moreau();
            return std::nullopt;
        }
        const std::string name = reader_.text(*node, key("scheme"));
        const std::vector<std::string> names{std::string(EulerMoreau::name), std::string(HigherOrderSweeping::name),
                                             "explicit-euler", "runge-kutta"};
        if (name != names[0]) refuse({"theta", "gamma", "measures"}, name);
        if (name == names[0] || name == names[1]) refuse({"band"}, name);
        if (name == names[0]) return euler_moreau();
        if (name == names[1]) return HigherOrderSweeping{};
        if (name == names[2]) return explicit_switched(1);
        if (name == names[3]) return explicit_switched(4);
        tables_.unknown(*node, key("scheme"), "scheme", name, names);
    }

    EulerMoreau euler_moreau() const {
        EulerMoreau result;
        read_number("theta", result.theta);
        read_number("gamma", result.gamma);
        if (const toml::node* node = table_.get("measures")) result.measures = reader_.truth(*node, key("measures"));
        return checked(result);
    }

    ExplicitSwitched explicit_switched(int stages) const {
        ExplicitSwitched result{.stages = stages};
        read_number("band", result.band);
        return checked(result);
    }

    template <class Options>
    Options checked(const Options& options, auto... context) const {
        try {
            options.check(context...);
        } catch (const InvalidInput& error) {
            reader_.fail(table_, "simulation", error.what());
        }
        return options;
    }

    const ModelTables& tables_;
    const TomlReader& reader_;
    const toml::table& table_;
    bool is_mechanical_;
};

}  // namespace

TimeStepping read_simulation(const ModelTables& tables, const toml::table& table, bool is_mechanical) {
    return SimulationReader(tables, table, is_mechanical).read();
}

}  // namespace saltus
