// The ways to decode that base64url.c chooses among, each with the promises of `ol_base64url_decode`.
#ifndef OL_BASE64_PATHS_H
#define OL_BASE64_PATHS_H

#include <stddef.h>
#include <stdint.h>

// Four characters at a time.
ptrdiff_t ol_decode_plain(const uint8_t *text, size_t length, uint8_t *output);

#if defined(__x86_64__)
// 32 characters at a time.
ptrdiff_t ol_decode_avx2(const uint8_t *text, size_t length, uint8_t *output);
#endif

#endif
