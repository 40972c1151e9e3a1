#pragma once

#include <nlohmann/json_fwd.hpp>

#include "saltus/io/result/frames.hpp"
#include "saltus/view/page.hpp"

namespace saltus {

// The parts of a manifest (see viewer/src/manifest.ts) that a page and a server have in common. They add the rest
// themselves: embedded, missing, blocks and the frames of the scene. Throws InvalidInput if a choice names an unknown
// column. `file` is the name of the result file.
nlohmann::json make_manifest(const ResultView& view, const ViewChoice& choice, const std::string& file);

// The scene, with the times of its frames; null if there is none.
nlohmann::json scene_of(const ResultView& view, const std::vector<double>& frame_times, const SceneExtent& extent);

// As text that may stand in a page: nothing in it ends a script element, and bytes that are not UTF-8 are replaced.
std::string page_text(const nlohmann::json& json);

}  // namespace saltus
