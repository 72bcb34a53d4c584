#include "base64url.h"

#include "paths.h"

// One more than the six bits of a character; zero for a character that stands for none.
static const uint8_t ranks[256] = {
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,  ['H'] = 8,
    ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16,
    ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
    ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32,
    ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40,
    ['o'] = 41, ['p'] = 42, ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
    ['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['-'] = 63, ['_'] = 64,
};

// Six bits; 255 for a character that stands for none.
static inline uint8_t value(uint8_t character) { return (uint8_t)(ranks[character] - 1); }

ptrdiff_t ol_decode_plain(const uint8_t *text, size_t length, uint8_t *output) {
  if (length % 4 == 1) return -1;
  uint8_t *place = output;
  const uint8_t *end = text + length / 4 * 4;
  for (; text < end; text += 4, place += 3) {
    uint8_t a = value(text[0]), b = value(text[1]), c = value(text[2]), d = value(text[3]);
    if ((a | b | c | d) > 63) return -1;
    place[0] = (uint8_t)(a << 2 | b >> 4);
    place[1] = (uint8_t)(b << 4 | c >> 2);
    place[2] = (uint8_t)(c << 6 | d);
  }
  if (length % 4 == 0) return place - output;
  uint8_t a = value(text[0]), b = value(text[1]);
  uint8_t c = length % 4 == 3 ? value(text[2]) : 0;
  if ((a | b | c) > 63) return -1;
  *place++ = (uint8_t)(a << 2 | b >> 4);
  if (length % 4 == 2) return (b & 15) == 0 ? place - output : -1;
  *place++ = (uint8_t)(b << 4 | c >> 2);
  return (c & 3) == 0 ? place - output : -1;
}

int ol_base64url_has_path(ol_base64url_path path) {
#if defined(__x86_64__)
  switch (path) {
    case ol_path_plain: return 1;
    case ol_path_avx2: return __builtin_cpu_supports("avx2");
  }
  return 0;
#else
  return path == ol_path_plain;
#endif
}

ptrdiff_t ol_base64url_decode_by(ol_base64url_path path, const uint8_t *text, size_t length, uint8_t *output) {
#if defined(__x86_64__)
  if (path == ol_path_avx2) return ol_decode_avx2(text, length, output);
#else
  (void)path;
#endif
  return ol_decode_plain(text, length, output);
}

ptrdiff_t ol_base64url_decode(const uint8_t *text, size_t length, uint8_t *output) {
  if (ol_base64url_has_path(ol_path_avx2)) return ol_base64url_decode_by(ol_path_avx2, text, length, output);
  return ol_decode_plain(text, length, output);
}
