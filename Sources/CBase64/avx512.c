#include "paths.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define WIDEST __attribute__((target("avx512f,avx512bw,avx512vbmi")))

// The six bits of each character of ASCII; the eighth bit alone for one that stands for none.
static const uint8_t six_bits[128] __attribute__((aligned(64))) = {
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,  62, 128, 128,
     52,  53,  54,  55,  56,  57,  58,  59,  60,  61, 128, 128, 128, 128, 128, 128,
    128,   0,   1,   2,   3,   4,   5,   6,   7,   8,   9,  10,  11,  12,  13,  14,
     15,  16,  17,  18,  19,  20,  21,  22,  23,  24,  25, 128, 128, 128, 128,  63,
    128,  26,  27,  28,  29,  30,  31,  32,  33,  34,  35,  36,  37,  38,  39,  40,
     41,  42,  43,  44,  45,  46,  47,  48,  49,  50,  51, 128, 128, 128, 128, 128,
};

// Where the 48 bytes stand among 16 times 24 bits, each with its low byte first.
static const uint8_t order[64] __attribute__((aligned(64))) = {
     2,  1,  0,  6,  5,  4, 10,  9,  8, 14, 13, 12, 18, 17, 16, 22,
    21, 20, 26, 25, 24, 30, 29, 28, 34, 33, 32, 38, 37, 36, 42, 41,
    40, 46, 45, 44, 50, 49, 48, 54, 53, 52, 58, 57, 56, 62, 61, 60,
     0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
};

// 48 bytes of 64 times six bits. Source of the packing: Muła, Lemire, Base64 encoding and decoding at almost the speed
// of a memory copy (2020), section 3.2.
WIDEST static inline __m512i packed(__m512i bits) {
  __m512i pairs = _mm512_maddubs_epi16(bits, _mm512_set1_epi32(0x01400140));
  __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00011000));
  return _mm512_permutexvar_epi8(_mm512_load_si512(order), fours);
}

// Six bits each of 64 characters. Of a foreign one an eighth bit is set, in `foreign`.
WIDEST static inline __m512i values(__m512i characters, __m512i *foreign) {
  __m512i bits =
      _mm512_permutex2var_epi8(_mm512_load_si512(six_bits), characters, _mm512_load_si512(six_bits + 64));
  // The permutation does not look at a character's own eighth bit.
  *foreign = _mm512_ternarylogic_epi32(*foreign, characters, bits, 0xfe);
  return bits;
}

// The bits behind the last byte of a text are zero.
static int ends_whole(const uint8_t *text, size_t length) {
  if (length % 4 == 0) return 1;
  return (six_bits[text[length - 1] & 127] & (length % 4 == 2 ? 15 : 3)) == 0;
}

WIDEST ptrdiff_t ol_decode_avx512(const uint8_t *text, size_t length, uint8_t *output) {
  if (length % 4 == 1) return -1;
  __m512i foreign = _mm512_setzero_si512();
  size_t read = 0, written = 0;
  // 64 bytes are written, of which 48 count: the last 84 characters leave room for them.
  for (; length - read >= 84; read += 64, written += 48) {
    _mm512_storeu_si512(output + written, packed(values(_mm512_loadu_si512(text + read), &foreign)));
  }
  while (read < length) {
    size_t count = length - read < 64 ? length - read : 64;
    // What is missing to 64 characters is filled up with those that stand for zero.
    __m512i characters = _mm512_mask_loadu_epi8(_mm512_set1_epi8('A'), ~0ull >> (64 - count), text + read);
    size_t bytes = count * 3 / 4;
    _mm512_mask_storeu_epi8(output + written, (1ull << bytes) - 1, packed(values(characters, &foreign)));
    read += count;
    written += bytes;
  }
  if (_mm512_movepi8_mask(foreign) != 0 || !ends_whole(text, length)) return -1;
  return (ptrdiff_t)written;
}

#endif
