#pragma once

#include "saltus/io/model/scene.hpp"
#include "saltus/io/result/place_history.hpp"
#include "saltus/io/result/result_file.hpp"

namespace saltus {

class ModelTables;

// What can be drawn over time: a channel of the result, a signal of the model, or the health of the run:
// "run.residual", "run.iterations" and "run.seconds", the time since it began.
struct ViewColumn {
    enum class Group { state, multiplier, output, contact, joint, energy, signal, run };
    std::string name{};
    Group group = Group::state;
};
std::string_view to_string(ViewColumn::Group group);

// Columns to be drawn in one picture, over time.
struct PlotChoice {
    std::string title{};
    std::vector<Index> columns{};
};
// One column against another.
struct PhaseChoice {
    std::string title{};
    Index x = 0, y = 0;
};

// Some samples of some columns.
struct Window {
    std::vector<double> t{};
    std::vector<std::vector<double>> values{};  // one per column
};

// A result prepared for viewing: its channels and what the text of its model adds, signals and the scene. If the text
// cannot be read, these are left out, and `warnings` says why.
class ResultView {
public:
    // The reader must outlive the view.
    explicit ResultView(const ResultReader& result);

    const ResultReader& result() const { return result_; }
    const std::string& description() const { return description_; }
    bool is_mechanical() const { return is_mechanical_; }
    const std::vector<ViewColumn>& columns() const { return columns_; }
    // Throws InvalidInput, with the nearest name, for an unknown name.
    Index column(const std::string& name) const;
    const Scene& scene() const { return scene_; }
    // The places of the rows of all interactions at the beginning, and of those of drawn contacts over the run.
    const PlaceHistory& places() const { return places_; }
    const std::vector<std::string>& warnings() const { return warnings_; }

    // Samples first, first + stride, ... (`count` of them) of these columns.
    Window read(const std::vector<Index>& columns, Index first, Index count, Index stride = 1) const;
    // Samples with first <= k < last: all of them if there are at most `points`; else the first, the last, and for each
    // of points / 2 pieces those where one of the first `leading` columns is least and largest. Their peaks are kept.
    Window read_extremes(const std::vector<Index>& columns, Index first, Index last, Index points,
                         std::size_t leading) const;
    Window read_extremes(const std::vector<Index>& columns, Index first, Index last, Index points) const {
        return read_extremes(columns, first, last, points, columns.size());
    }
    // The first sample at or after t; samples() if there is none.
    Index sample_at(double t) const;
    // The scene at a sample.
    void read_frame(Index sample, Frame& frame) const;

    // What is drawn by default: see default_plots.cpp.
    std::vector<PlotChoice> default_plots() const;
    std::vector<PhaseChoice> default_phases() const;

private:
    struct Signal {
        Arguments arguments{};
        Function value{};
    };

    void add_channels();
    void read_text();
    void add_signals(const ModelTables& tables);
    // Calls visit(k, t, row) for the samples first, first + stride, ...; row has all channels.
    template <class Visit>
    void for_each_row(Index first, Index count, Index stride, Visit visit) const;
    bool is_run_column(Index column) const { return column >= std::ssize(columns_) - run_columns_; }
    void read_run_columns(const std::vector<Index>& columns, Index first, Index count, Index stride,
                          Window& window) const;
    double signal(const Signal& signal, double t, std::span<const double> row) const;

    const ResultReader& result_;
    std::string description_;
    bool is_mechanical_ = false;
    std::vector<ViewColumn> columns_;  // channels, signals, then those of the run
    Index run_columns_ = 0;
    std::vector<Signal> signals_;
    Scene scene_;
    PlaceHistory places_;
    std::vector<std::string> warnings_;
    mutable std::vector<double> arguments_;
};

}  // namespace saltus
