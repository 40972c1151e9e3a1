#include "saltus/io/result/channel_index.hpp"

namespace saltus {

std::pair<std::string_view, std::string_view> owner_and_kind(std::string_view channel) {
    const std::size_t dot = channel.rfind('.');
    if (dot == std::string_view::npos) return {"", channel};
    const std::string_view kind = channel.substr(dot + 1);
    return {channel.substr(0, dot), kind.substr(0, kind.find('['))};
}

ChannelIndex::ChannelIndex(const std::vector<std::string>& channels) {
    for (std::size_t k = 0; k < channels.size(); ++k) {
        const auto [owner, kind] = owner_and_kind(channels[k]);
        const auto [place, is_new] = kinds_.try_emplace(std::string(owner));
        if (is_new) owners_.emplace_back(owner);
        place->second[std::string(kind)].push_back(static_cast<Index>(k));
    }
}

const std::vector<Index>& ChannelIndex::find(const std::string& owner, std::string_view kind) const {
    static const std::vector<Index> none;
    const auto place = kinds_.find(owner);
    if (place == kinds_.end()) return none;
    const auto found = place->second.find(kind);
    return found == place->second.end() ? none : found->second;
}

}  // namespace saltus
