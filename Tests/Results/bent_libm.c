/* A C library whose log or exp is off by a billionth. Loaded with LD_PRELOAD; BENT names the function. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static double bent(const char *name, double value) {
  const char *which = getenv("BENT");
  return which && !strcmp(which, name) ? value * (1 + 1e-9) : value;
}

#define BEND(name) \
  double name(double x) { \
    static double (*real)(double); \
    if (!real) real = (double (*)(double))dlsym(RTLD_NEXT, #name); \
    return bent(#name, real(x)); \
  }

BEND(log)
BEND(exp)
BEND(log1p)
BEND(erfc)
