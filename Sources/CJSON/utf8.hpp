// Whether bytes are UTF-8, and how many more of them may be read behind a text.
#ifndef UTF8_HPP
#define UTF8_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>

// So many bytes behind a text can be read, whatever they are.
constexpr size_t text_padding = 64;

// Asked of the few lines that are not ASCII alone: a table or a vector's worth of code for them is not worth its upkeep.
//
// Source: The Unicode Standard 15.0, table 3-7, "Well-Formed UTF-8 Byte Sequences".
inline bool is_utf8(const uint8_t *text, size_t length) {
  size_t at = 0;
  while (at < length) {
    uint64_t eight;
    while (at + sizeof eight <= length) {
      memcpy(&eight, text + at, sizeof eight);
      if (eight & 0x8080808080808080) break;
      at += sizeof eight;
    }
    if (at == length) break;
    const uint8_t lead = text[at];
    if (lead < 0x80) {
      at++;
      continue;
    }
    // What follows the first byte, and between what the second lies.
    size_t following;
    uint8_t low = 0x80, high = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) {
      following = 1;
    } else if (lead >= 0xe0 && lead <= 0xef) {
      following = 2;
      if (lead == 0xe0) low = 0xa0;
      if (lead == 0xed) high = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      following = 3;
      if (lead == 0xf0) low = 0x90;
      if (lead == 0xf4) high = 0x8f;
    } else {
      return false;
    }
    if (length - at <= following || text[at + 1] < low || text[at + 1] > high) return false;
    for (size_t place = 2; place <= following; place++) {
      if ((text[at + place] & 0xc0) != 0x80) return false;
    }
    at += following + 1;
  }
  return true;
}

#endif
