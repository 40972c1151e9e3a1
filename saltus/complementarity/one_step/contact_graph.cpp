#include "saltus/complementarity/one_step/contact_graph.hpp"

#include <algorithm>

namespace saltus {

namespace {

// The neighbours of every block, from both triangles of the pattern; a block may come twice.
std::vector<std::vector<int>> neighbours(const BlockMatrix& W) {
    std::vector<std::vector<int>> result(static_cast<std::size_t>(W.blocks()));
    for (Index i = 0; i < W.blocks(); ++i) {
        for (const int j : W.columns(i).subspan(1)) {
            result[static_cast<std::size_t>(i)].push_back(j);
            result[static_cast<std::size_t>(j)].push_back(static_cast<int>(i));
        }
    }
    return result;
}

}  // namespace

std::vector<IndexList> islands(const BlockMatrix& W) {
    const auto graph = neighbours(W);
    std::vector<bool> seen(graph.size(), false);
    std::vector<IndexList> result;
    for (std::size_t start = 0; start < graph.size(); ++start) {
        if (seen[start]) continue;
        IndexList island{static_cast<Index>(start)};
        seen[start] = true;
        for (std::size_t next = 0; next < island.size(); ++next) {
            for (const int j : graph[static_cast<std::size_t>(island[next])]) {
                if (seen[static_cast<std::size_t>(j)]) continue;
                seen[static_cast<std::size_t>(j)] = true;
                island.push_back(j);
            }
        }
        std::sort(island.begin(), island.end());
        result.push_back(std::move(island));
    }
    return result;
}

std::vector<IndexList> colours(const BlockMatrix& W) {
    const auto graph = neighbours(W);
    std::vector<int> colour(graph.size(), -1);
    std::vector<IndexList> result;
    std::vector<bool> taken;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        taken.assign(result.size() + 1, false);
        for (const int j : graph[i])
            if (const int c = colour[static_cast<std::size_t>(j)]; c >= 0) taken[static_cast<std::size_t>(c)] = true;
        const auto free = static_cast<std::size_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
        if (free == result.size()) result.emplace_back();
        colour[i] = static_cast<int>(free);
        result[free].push_back(static_cast<Index>(i));
    }
    return result;
}

OneStepProblem restriction(const OneStepView& problem, const IndexList& blocks) {
    OneStepProblem result{problem.W.principal(blocks), gather(problem.W, blocks, problem.q), {}};
    for (const Index i : blocks) result.laws.push_back(problem.law(i));
    return result;
}

void scatter(const BlockMatrix& W, const IndexList& blocks, const Eigen::VectorXd& y, Eigen::VectorXd& x) {
    Index row = 0;
    for (const Index i : blocks) {
        x.segment(W.start(i), W.size(i)) = y.segment(row, W.size(i));
        row += W.size(i);
    }
}

Eigen::VectorXd gather(const BlockMatrix& W, const IndexList& blocks, const Eigen::VectorXd& x) {
    Index rows = 0;
    for (const Index i : blocks) rows += W.size(i);
    Eigen::VectorXd y(rows);
    Index row = 0;
    for (const Index i : blocks) {
        y.segment(row, W.size(i)) = x.segment(W.start(i), W.size(i));
        row += W.size(i);
    }
    return y;
}

}  // namespace saltus
