#define SALTUS_DEFINES_EIGEN_KERNELS
#include "saltus/core/eigen_kernels.hpp"
