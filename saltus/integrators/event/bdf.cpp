#include "saltus/integrators/event/bdf.hpp"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <exception>
#include <utility>

#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"

namespace saltus {

namespace {

Eigen::Map<Eigen::VectorXd> entries(N_Vector v) { return {N_VGetArrayPointer(v), N_VGetLength(v)}; }

}  // namespace

// What SUNDIALS allocates, and where the callbacks of a step are found.
struct Bdf::Solver {
    SUNContext context = nullptr;
    void* memory = nullptr;
    N_Vector state = nullptr, work = nullptr;
    SUNMatrix matrix = nullptr;
    SUNLinearSolver linear = nullptr;
    const Callbacks* callbacks = nullptr;
    Eigen::VectorXd x, slope, scale;
    std::exception_ptr failure;  // thrown by a callback
    double begin = 0.0;          // of the last step
    double tolerance;

    Solver(Index size, double error) : x(size), slope(size), tolerance(error) {
        SUNContext_Create(nullptr, &context);
        state = N_VNew_Serial(size, context);
        work = N_VNew_Serial(size, context);
        N_VConst(0.0, state);
        memory = CVodeCreate(CV_BDF, context);
        matrix = SUNDenseMatrix(size, size, context);
        linear = SUNLinSol_Dense(state, matrix, context);
        const bool is_made = memory && linear && CVodeInit(memory, evaluate, 0.0, state) == CV_SUCCESS &&
                             CVodeSStolerances(memory, tolerance, tolerance) == CV_SUCCESS &&
                             CVodeSetUserData(memory, this) == CV_SUCCESS &&
                             CVodeSetLinearSolver(memory, linear, matrix) == CV_SUCCESS &&
                             CVodeSetProjFn(memory, project) == CV_SUCCESS &&
                             CVodeSetProjErrEst(memory, SUNFALSE) == CV_SUCCESS &&
                             CVodeSetErrFile(memory, nullptr) == CV_SUCCESS;
        require(is_made, "bdf: CVODE refuses {} entries with the tolerance {}", size, tolerance);
    }
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;
    ~Solver() {
        CVodeFree(&memory);
        SUNLinSolFree(linear);
        SUNMatDestroy(matrix);
        N_VDestroy(work);
        N_VDestroy(state);
        SUNContext_Free(&context);
    }

    // What a callback returns to CVODE: 0, a positive number to ask for a shorter step, a negative one to give up.
    // CVODE is C, through which no exception may pass: step() throws it afterwards.
    template <class Compute>
    int answer(Compute compute) {
        try {
            return compute() ? 0 : 1;
        } catch (...) {
            failure = std::current_exception();
            return -1;
        }
    }
    static int evaluate(double t, N_Vector y, N_Vector y_dot, void* data) {
        auto& self = *static_cast<Solver*>(data);
        self.x = entries(y);
        return self.answer([&] {
            const bool is_possible = self.callbacks->slope(self.callbacks->mode, t, self.x, self.slope);
            if (is_possible) entries(y_dot) = self.slope;
            return is_possible;
        });
    }
    static int project(double t, N_Vector y, N_Vector correction, double, N_Vector, void* data) {
        auto& self = *static_cast<Solver*>(data);
        self.x = entries(y);
        return self.answer([&] {
            const bool is_possible = self.callbacks->project(self.callbacks->mode, t, self.x);
            if (is_possible) entries(correction) = self.x - entries(y);
            return is_possible;
        });
    }
};

Bdf::Bdf(Index size, double tolerance) : solver_(std::make_unique<Solver>(size, tolerance)) {}
Bdf::Bdf(Bdf&&) noexcept = default;
Bdf::~Bdf() = default;

void Bdf::set_scale(const Eigen::VectorXd& scale) { solver_->scale = scale; }

void Bdf::restart(double t, const Eigen::VectorXd& x) {
    constexpr double least = 1e-100;  // CVODE refuses zero
    if (solver_->scale.size() > 0) {
        entries(solver_->work) = (solver_->tolerance * solver_->scale).cwiseMax(least);
        CVodeSVtolerances(solver_->memory, solver_->tolerance, solver_->work);
    }
    entries(solver_->state) = x;
    CVodeReInit(solver_->memory, t, solver_->state);
    solver_->begin = t;
}

double Bdf::step(const Callbacks& callbacks, double limit, Eigen::VectorXd& end) {
    Solver& s = *solver_;
    s.callbacks = &callbacks;
    double t = 0.0;
    CVodeGetCurrentTime(s.memory, &s.begin);
    CVodeSetStopTime(s.memory, s.begin + limit);
    const int outcome = CVode(s.memory, s.begin + limit, s.state, &t, CV_ONE_STEP);
    if (s.failure) std::rethrow_exception(std::exchange(s.failure, nullptr));
    if (outcome < 0) return 0.0;
    end = entries(s.state);
    return t >= s.begin + limit ? limit : t - s.begin;
}

bool Bdf::interpolate(double s, Eigen::VectorXd& end) {
    if (CVodeGetDky(solver_->memory, solver_->begin + s, 0, solver_->work) != CV_SUCCESS) return false;
    end = entries(solver_->work);
    return true;
}

double Bdf::next_length() const {
    double h = 0.0;
    CVodeGetCurrentStep(solver_->memory, &h);
    return h > 0.0 ? h : infinity;
}

}  // namespace saltus
