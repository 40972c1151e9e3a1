#include "saltus/model/recognise.hpp"

namespace saltus {

namespace {

// F(z, t) = coefficients z + rest(t).
struct Affine {
    Eigen::MatrixXd coefficients;
    Function rest;  // empty if it is zero

    static std::optional<Affine> of(const Function& function) {
        const Index count = function.inputs() - 1;
        const auto coefficients = function.affine_coefficients(0, count);
        if (!coefficients) return std::nullopt;
        return Affine{*coefficients, rest_of(function)};
    }

private:
    static Function rest_of(const Function& function) {
        const Index count = function.inputs() - 1;
        const auto arguments_at = [count](double t) {
            Eigen::VectorXd arguments = Eigen::VectorXd::Zero(count + 1);
            arguments[count] = t;
            return arguments;
        };
        bool depends_on_time = false;
        for (Index i = 0; i < function.outputs(); ++i)
            depends_on_time = depends_on_time || function.expressions()->depends_on(i, count);
        Eigen::VectorXd value(function.outputs());
        function.value(arguments_at(0.0).data(), value.data());
        if (!depends_on_time) return value.isZero(0.0) ? Function() : Function::constant(1, value);
        return Function::with_jacobian(
            1, function.outputs(),
            [function, arguments = arguments_at(0.0)](const Function::In& in, Function::Out& out) mutable {
                arguments[arguments.size() - 1] = in[0];
                function.value(arguments.data(), out.data());
            },
            [function, arguments = arguments_at(0.0), all = Eigen::MatrixXd(function.outputs(), count + 1)](
                const Function::In& in, Function::OutMatrix& jacobian) mutable {
                arguments[arguments.size() - 1] = in[0];
                function.jacobian(arguments.data(), all.data());
                jacobian = all.rightCols(1);
            },
            function.variation());
    }
};

// Adds a dense block to a matrix that may be absent.
void add(const Eigen::MatrixXd& term, Matrix& sum) {
    if (term.isZero(0.0) && sum.rows() > 0) return;
    sum = sum.rows() == 0 ? Matrix(term) : Matrix(Eigen::MatrixXd(sum.to_dense() + term));
}

// first + second, functions of the same arguments; either may be absent.
Function sum(const Function& first, const Function& second) {
    if (first.is_empty()) return second;
    if (second.is_empty()) return first;
    const Index inputs = first.inputs(), outputs = first.outputs();
    return Function::with_jacobian(
        inputs, outputs,
        [first, second, other = Eigen::VectorXd(outputs)](const Function::In& in, Function::Out& out) mutable {
            first.value(in.data(), out.data());
            second.value(in.data(), other.data());
            out += other;
        },
        [first, second, other = Eigen::MatrixXd(outputs, inputs)](const Function::In& in,
                                                                  Function::OutMatrix& jacobian) mutable {
            first.jacobian(in.data(), jacobian.data());
            second.jacobian(in.data(), other.data());
            jacobian += other;
        },
        std::max(first.variation(), second.variation()));
}

void recognise(FirstOrderSystem& system) {
    if (system.f.is_empty()) return;
    const auto affine = Affine::of(system.f);
    if (!affine) return;
    add(affine->coefficients, system.A);
    system.b = sum(system.b, affine->rest);
    system.f = {};
}

void recognise(Interaction& interaction, Index n) {
    const Index m = interaction.rows();
    if (!interaction.h.is_empty()) {
        if (const auto affine = Affine::of(interaction.h)) {
            add(affine->coefficients.leftCols(n), interaction.C);
            add(affine->coefficients.rightCols(m), interaction.D);
            interaction.e = sum(interaction.e, affine->rest);
            interaction.h = {};
        }
    }
    if (!interaction.g.is_empty()) {
        const auto affine = Affine::of(interaction.g);
        if (affine && affine->rest.is_empty() && affine->coefficients.leftCols(n).isZero(0.0)) {
            add(affine->coefficients.rightCols(m), interaction.B);
            interaction.g = {};
        }
    }
}

void recognise(LagrangianSystem& system) {
    if (system.f.is_empty()) return;
    const auto affine = Affine::of(system.f);
    if (!affine) return;
    const Index n = system.size();
    if (const Eigen::MatrixXd K = -affine->coefficients.leftCols(n); !K.isZero(0.0)) add(K, system.K);
    if (const Eigen::MatrixXd C = -affine->coefficients.rightCols(n); !C.isZero(0.0)) add(C, system.C);
    system.b = sum(system.b, affine->rest);
    system.f = {};
}

// Constant directions T are rates of the positions T q.
void recognise_tangents(LagrangianInteraction& interaction, Index n) {
    const Function& tangents = interaction.tangents;
    if (tangents.is_empty() || tangents.variation() != Variation::constant || !interaction.g.is_empty()) return;
    const Index positions = interaction.positions(), rows = tangents.outputs() / n;
    Eigen::MatrixXd G(positions + rows, n), T(rows, n);
    tangents.value(Eigen::VectorXd::Zero(n + 1).eval().data(), T.data());
    G << interaction.G.to_dense(), T;
    interaction.G = G;
    interaction.tangents = {};
    if (interaction.e.is_empty()) return;
    interaction.e = Function::with_jacobian(
        1, positions + rows,
        [e = interaction.e, rows](const Function::In& in, Function::Out& out) {
            e.value(in.data(), out.data());
            out.tail(rows).setZero();
        },
        [e = interaction.e, positions](const Function::In& in, Function::OutMatrix& jacobian) {
            e.jacobian(in.data(), jacobian.data());
            jacobian.col(0).tail(jacobian.rows() - positions).setZero();
        },
        interaction.e.variation());
}

void recognise(LagrangianInteraction& interaction, Index n) {
    if (interaction.g.is_empty()) return;
    const auto affine = Affine::of(interaction.g);
    if (!affine || !affine->coefficients.rightCols(affine->coefficients.cols() - n).isZero(0.0)) return;
    add(affine->coefficients.leftCols(n), interaction.G);
    interaction.e = sum(interaction.e, affine->rest);
    interaction.g = {};
    recognise_tangents(interaction, n);
}

}  // namespace

void recognise_linear(LagrangianModel& model) {
    for (LagrangianSystem& system : model.systems) recognise(system);
    for (LagrangianInteraction& interaction : model.interactions)
        recognise(interaction, model.coordinates_of(interaction));
}

void recognise_linear(Model& model) {
    for (FirstOrderSystem& system : model.systems) recognise(system);
    for (Interaction& interaction : model.interactions) recognise(interaction, model.states_of(interaction));
}

}  // namespace saltus
