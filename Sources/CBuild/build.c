#include "build.h"

#ifndef OFFERLIFT_BUILD
#define OFFERLIFT_BUILD ""
#endif

const char *const ol_build = OFFERLIFT_BUILD;
