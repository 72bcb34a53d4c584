#ifndef OL_BASE64URL_H
#define OL_BASE64URL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Decodes base 64 with the alphabet for URLs and without padding (RFC 4648, section 5), and returns how many bytes
/// were written; -1 for a text that no encoder makes: a foreign character, padding, one character over, or bits behind
/// the last byte that are not zero.
///
/// `output` has room for `length / 4 * 3 + 2` bytes, of which those behind the decoded ones may be written, too.
ptrdiff_t ol_base64url_decode(const uint8_t *text, size_t length, uint8_t *output);

#ifdef __cplusplus
}
#endif
#endif
