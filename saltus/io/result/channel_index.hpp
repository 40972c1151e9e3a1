#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "saltus/core/matrix.hpp"

namespace saltus {

// Finds channels by their owner and kind: "ball.q[0]" has the owner "ball" and the kind "q".
class ChannelIndex {
public:
    using Kinds = std::map<std::string, std::vector<Index>, std::less<>>;

    explicit ChannelIndex(const std::vector<std::string>& channels);

    // The channels OWNER.KIND[0], OWNER.KIND[1], ... or OWNER.KIND; none if there are none.
    const std::vector<Index>& find(const std::string& owner, std::string_view kind) const;
    bool has(const std::string& owner, std::string_view kind) const { return !find(owner, kind).empty(); }
    // In the order of the channels.
    const std::vector<std::string>& owners() const { return owners_; }

private:
    std::unordered_map<std::string, Kinds> kinds_;
    std::vector<std::string> owners_;
};

// The owner of a channel, which may itself contain dots, and its kind.
std::pair<std::string_view, std::string_view> owner_and_kind(std::string_view channel);

}  // namespace saltus
