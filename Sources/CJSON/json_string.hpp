// Undoes the escapes of a JSON string.
#ifndef JSON_STRING_HPP
#define JSON_STRING_HPP

#include <cstddef>
#include <cstdint>

// The number that four hexadecimal digits spell; -1 where they are none, or end before.
inline int32_t hex4(const uint8_t *at, const uint8_t *end) {
  if (end - at < 4) return -1;
  int32_t number = 0;
  for (int digit = 0; digit < 4; digit++) {
    uint8_t c = at[digit];
    int value = c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
    if (value < 0) return -1;
    number = number << 4 | value;
  }
  return number;
}

inline uint8_t *write_utf8(uint32_t scalar, uint8_t *place) {
  if (scalar < 0x80) {
    *place++ = uint8_t(scalar);
    return place;
  }
  int more = scalar < 0x800 ? 1 : scalar < 0x10000 ? 2 : 3;
  static constexpr uint8_t heads[] = {0, 0xc0, 0xe0, 0xf0};
  *place++ = uint8_t(heads[more] | scalar >> (6 * more));
  while (more-- > 0) *place++ = uint8_t(0x80 | ((scalar >> (6 * more)) & 0x3f));
  return place;
}

// Writes what stands between a string's quotes to `place`, which has room for as many bytes, escapes undone, and returns
// where it ends there; null where an escape is none, or is half of a surrogate pair.
inline uint8_t *unescape(const uint8_t *at, const uint8_t *end, uint8_t *place) {
  while (at < end) {
    if (*at != '\\') {
      *place++ = *at++;
      continue;
    }
    if (end - at < 2) return nullptr;
    uint8_t kind = at[1];
    at += 2;
    switch (kind) {
      case '"':
      case '\\':
      case '/': *place++ = kind; break;
      case 'b': *place++ = '\b'; break;
      case 'f': *place++ = '\f'; break;
      case 'n': *place++ = '\n'; break;
      case 'r': *place++ = '\r'; break;
      case 't': *place++ = '\t'; break;
      case 'u': {
        int32_t scalar = hex4(at, end);
        if (scalar < 0 || (scalar >= 0xdc00 && scalar < 0xe000)) return nullptr;
        at += 4;
        if (scalar >= 0xd800 && scalar < 0xdc00) {
          if (end - at < 2 || at[0] != '\\' || at[1] != 'u') return nullptr;
          int32_t low = hex4(at + 2, end);
          if (low < 0xdc00 || low > 0xdfff) return nullptr;
          scalar = 0x10000 + ((scalar - 0xd800) << 10 | (low - 0xdc00));
          at += 6;
        }
        place = write_utf8(uint32_t(scalar), place);
        break;
      }
      default: return nullptr;
    }
  }
  return place;
}

#endif
