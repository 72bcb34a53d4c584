#ifndef OL_BUILD_H
#define OL_BUILD_H

/// What the program was built from, as whoever built it said (`OFFERLIFT_BUILD`); an empty text where nobody did.
extern const char *const ol_build;

#endif
