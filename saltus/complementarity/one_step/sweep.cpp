#include "saltus/complementarity/one_step/sweep.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <variant>

#include "saltus/complementarity/one_step/contact_graph.hpp"
#include "saltus/core/threads.hpp"

namespace saltus::one_step {

namespace {

template <class Law>
struct PreparedBlock {
    using type = FrictionBlock<Law>;
};
template <>
struct PreparedBlock<Equality> {
    using type = EqualityBlock;
};
template <>
struct PreparedBlock<Interval> {
    using type = IntervalBlock;
};

// One prepared block for each alternative of Law.
template <class Laws>
struct AnyBlockOf;
template <class... Laws>
struct AnyBlockOf<std::variant<Laws...>> {
    using type = std::variant<typename PreparedBlock<Laws>::type...>;
};
using AnyBlock = AnyBlockOf<Law>::type;

// All blocks of one kind, or a mixture.
using Blocks = std::variant<std::vector<FrictionBlock<Coulomb2D>>, std::vector<FrictionBlock<Coulomb3D>>,
                            std::vector<FrictionBlock<RollingFriction>>, std::vector<AnyBlock>>;

Blocks empty_blocks(const OneStepView& problem) {
    const auto all = [&]<class L>() {
        return std::ranges::all_of(problem.laws(), [](const Law& law) { return std::holds_alternative<L>(law); });
    };
    if (all.operator()<Coulomb2D>()) return std::vector<FrictionBlock<Coulomb2D>>();
    if (all.operator()<Coulomb3D>()) return std::vector<FrictionBlock<Coulomb3D>>();
    if (all.operator()<RollingFriction>()) return std::vector<FrictionBlock<RollingFriction>>();
    return std::vector<AnyBlock>();
}

}  // namespace

struct Sweep::Implementation {
    const BlockMatrix& W;
    const Eigen::VectorXd& q;
    Options options;
    Blocks blocks;
    std::vector<IndexList> groups;  // swept one after the other; with threads the members of one in parallel
    std::vector<int> idle;          // sweeps for which a block did not move; negative: sweeps that it still rests
    tbb::task_arena arena;

    Implementation(const OneStepView& problem, const Options& options_)
        : W(problem.W),
          q(problem.q),
          options(options_),
          blocks(empty_blocks(problem)),
          arena(usable_threads(options_.threads)) {
        for (Index i = 0; i < W.blocks(); ++i) {
            const Eigen::MatrixXd W_ii = W.diagonal(i) / options.relaxation;
            const auto add = [&](auto& list) {
                using Block = typename std::decay_t<decltype(list)>::value_type;
                std::visit(
                    [&]<class L>(const L& law) {
                        using Prepared = typename PreparedBlock<L>::type;
                        if constexpr (std::is_constructible_v<Block, Prepared>)
                            list.push_back(Prepared(law, W_ii, options.local));
                    },
                    problem.law(i));
            };
            std::visit(add, blocks);
        }
        if (options.coloured || options.threads > 1) {
            groups = colours(W);
        } else {
            groups.emplace_back(static_cast<std::size_t>(W.blocks()));
            for (Index i = 0; i < W.blocks(); ++i) groups.front()[static_cast<std::size_t>(i)] = i;
        }
        idle.assign(options.rest > 0 ? static_cast<std::size_t>(W.blocks()) : 0, 0);
    }

    template <int Cols, class Block>
    bool update(Block& block, Index i, double* r) {
        if constexpr (Block::rows == Eigen::Dynamic) {
            typename Block::Vector b = q.segment(W.start(i), W.size(i)), z = b;
            W.add_row_product(i, r, b.data(), 1);
            Eigen::Map<Eigen::VectorXd> r_i(r + W.start(i), W.size(i));
            return finish(block, i, b, z, r_i);
        } else {
            typename Block::Vector b = Eigen::Map<const typename Block::Vector>(q.data() + W.start(i)), z;
            b += W.template row_product<Block::rows, Cols>(i, r, 1);
            Eigen::Map<typename Block::Vector> r_i(r + W.start(i));
            return finish(block, i, b, z, r_i);
        }
    }

    template <class Block, class Vector, class Map>
    bool finish(Block& block, Index i, Vector& b, Vector& z, Map& r_i) {
        // W_ii r_i - (W_ii / relaxation) r_i stays on the right-hand side.
        if (options.relaxation != 1.0) b += (1.0 - 1.0 / options.relaxation) * (W.diagonal(i) * r_i);
        z = r_i;
        const bool is_solved = block.solve(b, z);
        if (!idle.empty()) {
            int& count = idle[static_cast<std::size_t>(i)];
            count = (z.array() == r_i.array()).all() ? count + 1 : 0;
            if (count >= 3) count = -options.rest;
        }
        r_i = z;
        return is_solved;
    }

    bool rests(Index i) {
        if (idle.empty() || idle[static_cast<std::size_t>(i)] >= 0) return false;
        ++idle[static_cast<std::size_t>(i)];
        return true;
    }

    template <int Cols, class Block>
    Index run_over(std::vector<Block>& list, double* r) {
        const auto update_one = [&](Index i) -> bool {
            if (rests(i)) return true;
            auto& block = list[static_cast<std::size_t>(i)];
            if constexpr (std::is_same_v<Block, AnyBlock>)
                return std::visit([&](auto& b) { return update<Eigen::Dynamic>(b, i, r); }, block);
            else
                return update<Cols>(block, i, r);
        };
        Index failures = 0;
        for (const IndexList& group : groups) {
            if (options.threads <= 1) {
                for (const Index i : group) failures += update_one(i) ? 0 : 1;
                continue;
            }
            std::atomic<Index> failed = 0;
            arena.execute([&] {
                tbb::parallel_for(std::size_t{0}, group.size(), [&](std::size_t k) {
                    if (!update_one(group[k])) ++failed;
                });
            });
            failures += failed;
        }
        return failures;
    }
};

Sweep::Sweep(const OneStepView& problem, const Options& options)
    : implementation_(std::make_unique<Implementation>(problem, options)) {}
Sweep::~Sweep() = default;
Sweep::Sweep(Sweep&&) noexcept = default;
Sweep& Sweep::operator=(Sweep&&) noexcept = default;

Index Sweep::run(Eigen::VectorXd& r) {
    return std::visit(
        [&]<class Block>(std::vector<Block>& list) {
            if constexpr (std::is_same_v<Block, AnyBlock>)
                return implementation_->run_over<Eigen::Dynamic>(list, r.data());
            else
                return implementation_->run_over<Block::rows>(list, r.data());
        },
        implementation_->blocks);
}

}  // namespace saltus::one_step
