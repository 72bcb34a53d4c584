// The grammar of numbers. Source: RFC 8259, section 6: number = [ minus ] int [ frac ] [ exp ].
#ifndef JSON_NUMBER_HPP
#define JSON_NUMBER_HPP

#include <cstdint>

inline bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

inline const uint8_t *skip_digits(const uint8_t *at, const uint8_t *end) {
  while (at < end && is_digit(*at)) at++;
  return at;
}

// Where the number that begins at `at` ends, at `end` at the latest; null where none begins there.
inline const uint8_t *end_of_number(const uint8_t *at, const uint8_t *end) {
  if (at < end && *at == '-') at++;
  if (at >= end || !is_digit(*at)) return nullptr;
  at = *at == '0' ? at + 1 : skip_digits(at, end);
  if (at < end && *at == '.') {
    at++;
    if (at == end || !is_digit(*at)) return nullptr;
    at = skip_digits(at, end);
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    at++;
    if (at < end && (*at == '+' || *at == '-')) at++;
    if (at == end || !is_digit(*at)) return nullptr;
    at = skip_digits(at, end);
  }
  return at;
}

// The bytes are one number and nothing else.
inline bool is_number(const uint8_t *at, const uint8_t *end) { return end_of_number(at, end) == end; }

#endif
