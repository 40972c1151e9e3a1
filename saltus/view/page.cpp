#include "saltus/view/page.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/core/check.hpp"
#include "saltus/io/file_lock.hpp"
#include "saltus/io/output_file.hpp"
#include "saltus/view/manifest.hpp"
#include "saltus/view/page_bundle.hpp"
#include "saltus/view/page_data.hpp"

namespace saltus {

namespace {

std::string escaped_html(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '&') {
            result += "&amp;";
        } else if (c == '<') {
            result += "&lt;";
        } else {
            result += c;
        }
    }
    return result;
}

std::string filled(std::string_view title, std::string_view data) {
    std::string page(page_bundle());
    const auto fill = [&](std::string_view mark, std::string_view text) {
        const std::size_t place = page.find(mark);
        require(place != std::string::npos, "viewer/dist/page.html: has no mark {}; rebuild the viewer", mark);
        page.replace(place, mark.size(), text);
    };
    fill(page_data_mark, data);
    fill(page_title_mark, escaped_html(title));
    return page;
}

// A manifest of very many channels is packed, as blocks are.
std::string manifest_element(const nlohmann::json& manifest) {
    constexpr std::size_t long_text = 1000000;
    const std::string text = page_text(manifest);
    const bool is_long = text.size() > long_text;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    return fmt::format("<script type=\"application/{}\" id=\"saltus-manifest\">{}</script>\n",
                       is_long ? "octet-stream" : "json",
                       is_long ? packed_block(std::span<const std::uint8_t>(bytes, text.size())) : text);
}

}  // namespace

std::string report_page(const ResultView& view, const PageOptions& options, const std::string& file) {
    require(options.megabytes > 0.0 && std::isfinite(options.megabytes),
            "the size of a page is {} megabytes; it must be positive", options.megabytes);
    const double bytes = 1e6 * options.megabytes;
    nlohmann::json manifest = make_manifest(view, options.choice, file);
    PageBlocks blocks;
    add_samples(view, 0.7 * bytes, manifest, blocks);
    add_marks(view, blocks);
    add_scene(view, 0.3 * bytes, manifest, blocks);
    manifest["blocks"] = blocks.descriptions();
    return filled(view.result().summary().name + " · Saltus", manifest_element(manifest) + blocks.elements());
}

void write_report(const std::filesystem::path& result, const std::filesystem::path& page, const PageOptions& options) {
    const ResultReader reader(result);
    const FileLock lock(result);  // no other run replaces it meanwhile
    const ResultView view(reader);
    write_file(page, report_page(view, options, result.filename().string()));
}

std::string served_page() { return filled("Saltus", ""); }

}  // namespace saltus
