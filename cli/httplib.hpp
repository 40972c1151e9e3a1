#pragma once

// Debian's library is built with these, and agrees with its header only if they are set.
#define CPPHTTPLIB_OPENSSL_SUPPORT
#define CPPHTTPLIB_ZLIB_SUPPORT
#define CPPHTTPLIB_BROTLI_SUPPORT

#include <httplib.h>
