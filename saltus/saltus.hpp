#pragma once

// The whole library, for programs that do not choose. Each header says what it is for; these and the headers that they
// include are installed.

// Problems and their solvers: CMake's target Saltus::solvers.
#include "saltus/complementarity/affine/affine_box.hpp"
#include "saltus/complementarity/affine/affine_solvers.hpp"
#include "saltus/complementarity/affine/conversions.hpp"
#include "saltus/complementarity/affine/qp_solvers.hpp"
#include "saltus/complementarity/nonlinear/nonlinear_solvers.hpp"
#include "saltus/complementarity/one_step/global_solvers.hpp"
#include "saltus/complementarity/one_step/lcp_forms.hpp"
#include "saltus/complementarity/one_step/one_step_solvers.hpp"
#include "saltus/core/interruption.hpp"
#include "saltus/core/matrix_facts.hpp"
#include "saltus/core/version.hpp"

// Models and their simulation: Saltus::simulation.
#include "saltus/integrators/catching_up.hpp"
#include "saltus/integrators/scheme_choice.hpp"
#include "saltus/model/analysis.hpp"
#include "saltus/model/diagnosis.hpp"
#include "saltus/model/equivalences.hpp"
#include "saltus/model/formulations.hpp"
#include "saltus/model/function_from.hpp"
#include "saltus/model/lagrangian_model.hpp"
#include "saltus/model/model.hpp"
#include "saltus/model/moving_set.hpp"
#include "saltus/model/recognise.hpp"
#include "saltus/simulation/boundary_value.hpp"
#include "saltus/simulation/maps.hpp"
#include "saltus/simulation/ongoing_run.hpp"
#include "saltus/simulation/time_stepping.hpp"

// Files and pages: Saltus::io.
#include "saltus/io/model/model_file.hpp"
#include "saltus/io/problem/fclib_file.hpp"
#include "saltus/io/problem/problem_file.hpp"
#include "saltus/io/result/result_file.hpp"
#include "saltus/view/page.hpp"
