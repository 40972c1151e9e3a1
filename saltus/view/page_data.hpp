#pragma once

#include <nlohmann/json.hpp>

#include "saltus/io/result/result_view.hpp"
#include "saltus/view/page_block.hpp"

namespace saltus {

template <class Value>
inline constexpr const char* type_name = nullptr;
template <>
inline constexpr const char* type_name<double> = "f64";
template <>
inline constexpr const char* type_name<float> = "f32";
template <>
inline constexpr const char* type_name<std::uint16_t> = "u16";
template <>
inline constexpr const char* type_name<std::int32_t> = "i32";
template <>
inline constexpr const char* type_name<std::uint8_t> = "u8";

// The blocks of a page, as they are added: their descriptions, and their elements.
class PageBlocks {
public:
    // `is_delta`: the values are differences.
    template <class Value>
    void add(const std::string& name, const std::vector<Value>& values, const std::vector<std::size_t>& shape,
             bool is_delta = false) {
        nlohmann::json& block = descriptions_[name];
        block = {{"type", type_name<Value>}, {"shape", shape}};
        if (is_delta) block["delta"] = true;
        elements_ += "<script type=\"application/octet-stream\" id=\"block-" + name + "\">" +
                     packed_block(std::span<const Value>(values)) + "</script>\n";
    }

    const nlohmann::json& descriptions() const { return descriptions_; }
    const std::string& elements() const { return elements_; }

private:
    nlohmann::json descriptions_ = nlohmann::json::object();
    std::string elements_;
};

// Adds the columns of the samples, as many as fit in this many bytes, and lists them in the manifest.
void add_samples(const ResultView& view, double bytes, nlohmann::json& manifest, PageBlocks& blocks);

// Adds switches, impacts and events, the first 20000 of each.
void add_marks(const ResultView& view, PageBlocks& blocks);

// Adds the frames of the scene, as many as fit, and lists them in the manifest.
void add_scene(const ResultView& view, double bytes, nlohmann::json& manifest, PageBlocks& blocks);

}  // namespace saltus
