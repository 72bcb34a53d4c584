// Finds the bytes at which a plain text can end: its quote, and every byte that no plain text holds.
#ifndef MARK_FINDER_HPP
#define MARK_FINDER_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// A mark is a quote, a backslash or a control character, thus also a line's end. Between two marks there is nothing a
// text may not hold as it is, apart from bytes beyond ASCII, which are not told one by one: whoever meets one has the
// whole line checked.
//
// The marks of a line of 332 bytes take 15 ns; the first stage of simdjson, which finds all tokens of one line, takes 150.
namespace marks {

constexpr size_t block = 64;
// How many more marks than there are may be written.
constexpr size_t slack = 64;

// Writes where the marks of `text` are, from `from` up to `to`, into `found`, and returns the end of what was written.
// Up to `block` - 1 bytes behind `to` are read. `is_ascii` becomes false where a byte is not.
using finder = uint32_t *(*)(const uint8_t *text, size_t from, size_t to, uint32_t *found, bool &is_ascii);

// The bits of the first `length` bytes of a block.
inline uint64_t first_bits(size_t length) { return length >= block ? ~uint64_t(0) : (uint64_t(1) << length) - 1; }

// Twelve marks at a time, of which the last may be none: a loop over the bits alone guesses wrongly at its end, and few
// blocks have more.
inline __attribute__((always_inline)) uint32_t *write(uint64_t bits, uint32_t place, uint32_t *found) {
  uint32_t *end = found + __builtin_popcountll(bits);
  while (found < end) {
    for (int number = 0; number < 12; number++) {
      found[number] = place + uint32_t(__builtin_ctzll(bits | uint64_t(1) << 63));
      bits &= bits - 1;
    }
    found += 12;
  }
  return end;
}

#if defined(__x86_64__)

__attribute__((target("avx512f,avx512bw,avx512vbmi2,popcnt"))) inline uint32_t *find_avx512(
    const uint8_t *text, size_t from, size_t to, uint32_t *found, bool &is_ascii) {
  alignas(64) uint8_t numbers[block];
  for (size_t number = 0; number < block; number++) numbers[number] = uint8_t(number);
  const __m512i places = _mm512_load_si512(numbers);
  const __m512i quote = _mm512_set1_epi8('"'), backslash = _mm512_set1_epi8('\\'), blank = _mm512_set1_epi8(' ');
  __m512i all = _mm512_setzero_si512();
  for (size_t at = from; at < to; at += block) {
    __m512i bytes = _mm512_loadu_si512(text + at);
    // Whoever unpacks a file has put its bytes into a far cache.
    __builtin_prefetch(text + at + 2048);
    all = _mm512_or_si512(all, bytes);
    uint64_t bits = _mm512_cmpeq_epi8_mask(bytes, quote) | _mm512_cmpeq_epi8_mask(bytes, backslash) |
                    _mm512_cmplt_epu8_mask(bytes, blank);
    bits &= first_bits(to - at);
    // Long texts, as those of signatures, are blocks without a mark one behind another.
    if (bits == 0) continue;
    __m512i marked = _mm512_maskz_compress_epi8(bits, places);
    __m512i place = _mm512_set1_epi32(int(at));
    auto count = size_t(__builtin_popcountll(bits));
    _mm512_storeu_si512(found, _mm512_add_epi32(place, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(marked))));
    if (count > 16) {
      _mm512_storeu_si512(found + 16,
                          _mm512_add_epi32(place, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(marked, 1))));
      _mm512_storeu_si512(found + 32,
                          _mm512_add_epi32(place, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(marked, 2))));
      _mm512_storeu_si512(found + 48,
                          _mm512_add_epi32(place, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(marked, 3))));
    }
    found += count;
  }
  if (_mm512_movepi8_mask(all) != 0) is_ascii = false;
  return found;
}

__attribute__((target("avx2,popcnt,bmi"))) inline uint32_t *find_avx2(
    const uint8_t *text, size_t from, size_t to, uint32_t *found, bool &is_ascii) {
  const __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\'), last = _mm256_set1_epi8(0x1f);
  __m256i all = _mm256_setzero_si256();
  for (size_t at = from; at < to; at += block) {
    uint64_t bits = 0;
    for (int half = 0; half < 2; half++) {
      __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(text + at + 32 * half));
      all = _mm256_or_si256(all, bytes);
      __m256i either = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, quote), _mm256_cmpeq_epi8(bytes, backslash));
      __m256i hit = _mm256_or_si256(either, _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, last), last));
      bits |= uint64_t(uint32_t(_mm256_movemask_epi8(hit))) << (32 * half);
    }
    found = write(bits & first_bits(to - at), uint32_t(at), found);
  }
  if (_mm256_movemask_epi8(all) != 0) is_ascii = false;
  return found;
}

inline uint32_t *find_plainly(const uint8_t *text, size_t from, size_t to, uint32_t *found, bool &is_ascii) {
  const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), last = _mm_set1_epi8(0x1f);
  __m128i all = _mm_setzero_si128();
  for (size_t at = from; at < to; at += block) {
    uint64_t bits = 0;
    for (int quarter = 0; quarter < 4; quarter++) {
      __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(text + at + 16 * quarter));
      all = _mm_or_si128(all, bytes);
      __m128i either = _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
      __m128i hit = _mm_or_si128(either, _mm_cmpeq_epi8(_mm_max_epu8(bytes, last), last));
      bits |= uint64_t(uint32_t(_mm_movemask_epi8(hit))) << (16 * quarter);
    }
    found = write(bits & first_bits(to - at), uint32_t(at), found);
  }
  if (_mm_movemask_epi8(all) != 0) is_ascii = false;
  return found;
}

inline finder best_finder() {
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2")) return find_avx512;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") ? find_avx2 : find_plainly;
}

#else

constexpr uint64_t each(uint8_t byte) { return byte * UINT64_C(0x0101010101010101); }

// The top bit of every byte that is zero.
inline uint64_t zeros(uint64_t word) { return ~(((word & each(0x7f)) + each(0x7f)) | word | each(0x7f)); }

inline uint32_t *find_plainly(const uint8_t *text, size_t from, size_t to, uint32_t *found, bool &is_ascii) {
  uint64_t all = 0;
  for (size_t at = from; at < to; at += block) {
    uint64_t bits = 0;
    for (int eighth = 0; eighth < 8; eighth++) {
      uint64_t word;
      memcpy(&word, text + at + 8 * eighth, 8);
      all |= word;
      // Control characters are those whose three top bits are zero.
      uint64_t hit = zeros(word ^ each('"')) | zeros(word ^ each('\\')) | zeros(word & each(0xe0));
      // Gathers the top bits into one byte.
      bits |= ((hit >> 7) * UINT64_C(0x0102040810204080) >> 56) << (8 * eighth);
    }
    found = write(bits & first_bits(to - at), uint32_t(at), found);
  }
  if (all & each(0x80)) is_ascii = false;
  return found;
}

inline finder best_finder() { return find_plainly; }

#endif

}  // namespace marks

#endif
