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

/// The ways to decode: the quickest that the processor has is taken.
typedef enum { ol_path_plain = 0, ol_path_avx2 = 1 } ol_base64url_path;

/// Whether the processor has what a way to decode needs.
int ol_base64url_has_path(ol_base64url_path path);

/// Decodes one way, which the processor must have; for tests of each.
ptrdiff_t ol_base64url_decode_by(ol_base64url_path path, const uint8_t *text, size_t length, uint8_t *output);

#ifdef __cplusplus
}
#endif
#endif
