#pragma once

#include <memory>
#include <mutex>

#include "saltus/view/manifest.hpp"
#include "saltus/view/overview.hpp"

namespace saltus {

// A result file as a server sends it, piece by piece, also while a run is writing it: the answers that viewer/README.md
// lists. Functions may be called from several threads.
class ServedResult {
public:
    // Throws InvalidInput if the file is not a result file, or if a choice names an unknown column.
    ServedResult(const std::filesystem::path& path, const ViewChoice& choice);

    // JSON; includes what a run wrote since the last call.
    std::string manifest();
    // A different text for each run that writes the file.
    std::string run();
    // All throw InvalidInput for columns, samples and kinds that do not exist.
    std::string window(const std::vector<Index>& columns, double from, double to, Index points);
    std::string marks(const std::string& kind, double from, double to);
    std::string frames(Index first, Index count);

private:
    void open();
    // Reopens it, to see what was written since. A run that ends closes it for a moment: tried several times.
    void reopen();
    // Reopens it if another run has replaced it since.
    void require_open();
    bool is_running() const;
    // Finds what the page needs to know of the scene, from some frames.
    void measure_scene();

    std::filesystem::path path_;
    ViewChoice choice_;
    std::mutex mutex_;
    std::unique_ptr<ResultReader> reader_;
    std::unique_ptr<ResultView> view_;
    std::unique_ptr<Overview> overview_;
    std::string identity_;  // of the run that the overview belongs to
    // How the file looked when it was opened.
    std::uintmax_t size_ = 0;
    std::filesystem::file_time_type changed_{};
    std::vector<Index> frame_samples_;
    std::vector<double> frame_times_;
    SceneExtent extent_;
};

}  // namespace saltus
