#include "saltus/io/model/simulation_table.hpp"

#include <span>

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

constexpr std::string_view file_prefix = "simulation.";

class SimulationReader {
public:
    SimulationReader(const ModelTables& tables, const toml::table& table, bool is_mechanical,
                     const toml::table& instead, std::string_view prefix)
        : tables_(tables),
          reader_(tables.reader()),
          table_(table),
          instead_(instead),
          prefix_(prefix),
          is_mechanical_(is_mechanical) {}

    TimeStepping read() {
        std::vector<std::string> keys{"step", "t_end", "record_every", "scheme"};
        for (const std::string_view option : all_options()) keys.emplace_back(option);
        reader_.check_keys(table_, file_prefix, keys);
        TimeStepping simulation;
        simulation.step = required("step");
        simulation.t_end = required("t_end");
        simulation.record_every = record_every();
        simulation.scheme = scheme();
        return simulation;
    }

    static std::vector<SchemeInfo> list() {
        std::vector<SchemeInfo> result;
        for (const std::span<const Entry> entries : {first_order_schemes(), mechanical_schemes()})
            for (const Entry& entry : entries)
                if (std::ranges::count(result, entry.name, &SchemeInfo::name) == 0) {
                    result.push_back({entry.name});
                    for (const Option& option : entry.options) result.back().options.push_back(option.name);
                }
        return result;
    }

private:
    // An option. Two schemes share it where its name and its meaning are the same.
    struct Option {
        std::string_view name, meaning;
        bool operator==(const Option&) const = default;
    };

    // A scheme: its name and options in the file, and how it is read.
    struct Entry {
        std::string_view name;
        std::vector<Option> options;
        Scheme (*read)(const SimulationReader&);

        bool has(std::string_view option) const { return std::ranges::count(options, option, &Option::name) > 0; }
    };

    static Entry event_driven_entry() {
        return {EventDriven::name,
                {{"tolerance", "error of a step of the smooth motion between events"},
                 {"accumulation", "length of an accumulation of events"},
                 {"method", "of the smooth motion"},
                 {"stages", "of radau and gauss"}},
                [](const SimulationReader& r) -> Scheme { return r.event_driven(); }};
    }
    static Option theta() { return {"theta", "weight of the end of the step"}; }
    static Option band() { return {"band", "around a switching surface"}; }
    static Option facets() { return {"facets", "of the polygon that replaces the friction disk"}; }
    // The first of each list is what the options belong to where no scheme is named.
    static std::span<const Entry> first_order_schemes() {
        using Reader = const SimulationReader&;
        static const Entry entries[] = {
            {EulerMoreau::name,
             {theta(), {"gamma", "weight of the multiplier at the end"}, {"measures", "sigma = h lambda is unknown"}},
             [](Reader r) -> Scheme { return r.euler_moreau(); }},
            {HigherOrderSweeping::name, {}, [](Reader) -> Scheme { return HigherOrderSweeping{}; }},
            {"explicit-euler", {band()}, [](Reader r) -> Scheme { return r.explicit_switched(1); }},
            {"runge-kutta", {band()}, [](Reader r) -> Scheme { return r.explicit_switched(4); }},
            event_driven_entry(),
        };
        return entries;
    }
    static std::span<const Entry> mechanical_schemes() {
        using Reader = const SimulationReader&;
        static const Entry entries[] = {
            {MoreauJean::name,
             {theta(),
              {"projection", "of the positions after a step"},
              {"tolerance", "error of a step, whose length it controls"},
              {"min_step", "shortest step of automatic length"}},
             [](Reader r) -> Scheme { return r.moreau_jean(); }},
            {SchatzmanPaoli::name, {}, [](Reader) -> Scheme { return SchatzmanPaoli{}; }},
            {StewartTrinkle::name, {facets()}, [](Reader r) -> Scheme { return r.with_facets<StewartTrinkle>(); }},
            {AnitescuPotra::name, {facets()}, [](Reader r) -> Scheme { return r.with_facets<AnitescuPotra>(); }},
            {D1Minus::name, {}, [](Reader) -> Scheme { return D1Minus{}; }},
            {GeneralisedAlpha::name,
             {{"spectral_radius", "at infinite frequency"}},
             [](Reader r) -> Scheme { return r.generalised_alpha(); }},
            event_driven_entry(),
        };
        return entries;
    }
    std::span<const Entry> schemes() const { return is_mechanical_ ? mechanical_schemes() : first_order_schemes(); }

    // The schemes of both kinds of models, each once.
    static std::vector<std::string_view> all_options() {
        std::vector<std::string_view> result;
        for (const std::span<const Entry> entries : {first_order_schemes(), mechanical_schemes()})
            for (const Entry& entry : entries)
                for (const Option& option : entry.options)
                    if (std::ranges::count(result, option.name) == 0) result.push_back(option.name);
        return result;
    }

    // What replaces the entry, else that of the file; null if neither.
    const toml::node* get(std::string_view name) const {
        if (const toml::node* node = instead_.get(name)) return node;
        return std::ranges::count(left_aside_, name) == 0 ? table_.get(name) : nullptr;
    }
    std::string key(std::string_view name) const {
        return fmt::format("{}{}", instead_.contains(name) ? prefix_ : file_prefix, name);
    }

    double required(std::string_view name) const {
        const toml::node* node = get(name);
        if (!node) reader_.fail(table_, key(name), "is missing; give a number");
        return reader_.number(*node, key(name));
    }

    void read_number(std::string_view name, double& value) const {
        if (const toml::node* node = get(name)) value = reader_.number(*node, key(name));
    }

    long record_every() const {
        double every = 1.0;
        read_number("record_every", every);
        if (!(every >= 1.0 && every <= 1e15 && every == std::floor(every)))
            reader_.fail(*get("record_every"), key("record_every"),
                         fmt::format("is {}; give a whole number, 1 or more", every));
        return static_cast<long>(every);
    }

    // Without a scheme and its options the structure of the model decides.
    std::optional<Scheme> scheme() {
        const toml::node* node = get("scheme");
        const Entry& of_file = named(table_.get("scheme"), file_prefix);
        const Entry& entry = named(node, instead_.contains("scheme") ? prefix_ : file_prefix);
        refuse_others(of_file, entry);
        for (const Option& option : of_file.options)
            if (std::ranges::count(entry.options, option) == 0) left_aside_.push_back(option.name);
        const auto is_given = [&](const Option& option) { return get(option.name) != nullptr; };
        if (!node && std::ranges::none_of(entry.options, is_given)) return std::nullopt;
        return entry.read(*this);
    }

    // The scheme that the node names; without one the scheme to which the options belong then.
    const Entry& named(const toml::node* node, std::string_view prefix) const {
        if (!node) return schemes().front();
        const std::string key = fmt::format("{}scheme", prefix), name = reader_.text(*node, key);
        std::vector<std::string> names;
        for (const Entry& entry : schemes()) {
            if (entry.name == name) return entry;
            names.emplace_back(entry.name);
        }
        tables_.unknown(*node, key, "scheme", name, names);
    }

    // An option of another scheme is a mistake that would go unnoticed.
    void refuse_others(const Entry& of_file, const Entry& entry) const {
        for (const std::string_view option : all_options()) {
            if (instead_.contains(option) && !entry.has(option)) refuse_given(option, entry);
            if (const toml::node* node = table_.get(option); node && !of_file.has(option))
                reader_.fail(*node, fmt::format("{}{}", file_prefix, option), not_an_option(of_file.name));
        }
    }
    static std::string not_an_option(std::string_view scheme) {
        return fmt::format("is not an option of the scheme \"{}\"; delete it", scheme);
    }
    [[noreturn]] void refuse(const toml::node& node, std::string_view option, std::string_view scheme) const {
        reader_.fail(node, key(option), not_an_option(scheme));
    }
    [[noreturn]] void refuse_given(std::string_view option, const Entry& entry) const {
        std::vector<std::string_view> owners;
        for (const Entry& other : schemes())
            if (other.has(option)) owners.push_back(other.name);
        reader_.fail(*get(option), key(option),
                     fmt::format("is not an option of the scheme \"{}\"; give --scheme {} too, or leave it out",
                                 entry.name, fmt::join(owners, " or ")));
    }

    EulerMoreau euler_moreau() const {
        EulerMoreau result;
        read_number("theta", result.theta);
        read_number("gamma", result.gamma);
        if (const toml::node* node = get("measures")) result.measures = reader_.truth(*node, key("measures"));
        return checked(result);
    }

    ExplicitSwitched explicit_switched(int stages) const {
        ExplicitSwitched result{.stages = stages};
        read_number("band", result.band);
        return checked(result);
    }

    // The position of a word among those that the option knows.
    int choice(std::string_view option, const std::vector<std::string>& words, int otherwise) const {
        const toml::node* node = get(option);
        if (!node) return otherwise;
        const std::string word = reader_.text(*node, key(option));
        const auto found = std::find(words.begin(), words.end(), word);
        if (found == words.end()) tables_.unknown(*node, key(option), option, word, words);
        return static_cast<int>(found - words.begin());
    }

    int whole(std::string_view option, int otherwise, int most) const {
        double count = otherwise;
        read_number(option, count);
        if (!(count >= 0.0 && count <= most && count == std::floor(count)))
            reader_.fail(*get(option), key(option), fmt::format("is {}; give a whole number", count));
        return static_cast<int>(count);
    }

    EventDriven event_driven() const {
        EventDriven result;
        read_number("tolerance", result.tolerance);
        read_number("accumulation", result.accumulation);
        result.method =
            static_cast<SmoothMethod>(choice("method", {smooth_method_names.begin(), smooth_method_names.end()}, 0));
        result.stages = whole("stages", result.stages, 1000);
        return checked(result);
    }

    MoreauJean moreau_jean() const {
        MoreauJean result;
        read_number("theta", result.theta);
        result.projection = static_cast<Projection>(choice("projection", {"none", "direct", "combined"}, 0));
        result.control = control();
        return checked(result);
    }

    std::optional<StepControl> control() const {
        if (!get("tolerance")) {
            if (const toml::node* node = get("min_step")) refuse(*node, "min_step", "moreau-jean without tolerance");
            return std::nullopt;
        }
        StepControl result;
        read_number("tolerance", result.tolerance);
        read_number("min_step", result.min_step);
        return checked(result, required("step"));
    }

    template <class WithFacets>
    WithFacets with_facets() const {
        return checked(WithFacets{.facets = whole("facets", 0, 1000)});
    }

    GeneralisedAlpha generalised_alpha() const {
        GeneralisedAlpha result;
        read_number("spectral_radius", result.spectral_radius);
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
    const toml::table& instead_;
    std::string_view prefix_;  // of the keys of instead_
    bool is_mechanical_;
    std::vector<std::string_view> left_aside_{};  // options of the file that the scheme named instead does not share
};

}  // namespace

TimeStepping read_simulation(const ModelTables& tables, const toml::table& table, bool is_mechanical,
                             const toml::table& instead, std::string_view prefix) {
    return SimulationReader(tables, table, is_mechanical, instead, prefix).read();
}

std::vector<SchemeInfo> scheme_list() { return SimulationReader::list(); }

}  // namespace saltus
