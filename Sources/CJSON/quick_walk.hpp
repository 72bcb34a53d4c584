// Reads an object as nearly all lines have it, straight from its bytes.
#ifndef QUICK_WALK_HPP
#define QUICK_WALK_HPP

#include "json_number.hpp"
#include "picked_members.hpp"
#include "utf8.hpp"

// Walks over an object from text to text: each ends where the next mark is, so that its bytes are not looked at again,
// and the names are those that are expected. It takes objects without escapes, with no blank but one behind a colon or
// a comma, and not deeply nested, and says of any other only that it is not such a one; whether that is JSON at all,
// the walk over its tokens finds out.
//
// 5 million lines of 332 bytes: 0.68 s by their tokens, 0.28 s so.
class quick_walk {
 public:
  // Where the walk is, and the first mark that is not behind it.
  struct place {
    const uint8_t *at;
    const uint32_t *mark;
  };

  quick_walk(const uint8_t *text, size_t length) : text_(text), stop_(text + length) {}

  // Moves behind the object that begins at a place, and fills in what is picked of it; `at` is null where the object is
  // not as plain as that.
  //
  // The bytes behind the text are looked at as if they were its own: the object counts only if it ends within the text.
  // A walk gets no further beyond it than a bracket a level, a comma, a blank, a quote and a label: every text must end
  // and every other value begin before `stop_`.
  place pass_object(place from, ol_field *fields, node &known, int depth) const {
    const uint8_t *at = from.at + 1;
    const uint32_t *mark = from.mark;
    if (*at == '}') return {at + 1, mark};
    if (depth > deepest) return nowhere;
    member *last = known.before_first();
    while (*at == '"') {
      member *here = last->next[0];
      if (here->label.stands(at + 1)) {
        at += 1 + here->label.length();
        last = here;
      } else {
        const uint8_t *key = at + 1;
        at = pass_key({at, mark});
        if (at == nullptr) return nowhere;
        here = known.called(key, size_t(at - key) - 2, last);
        if (!here->is_nobody()) last = here;
      }
      // Behind the two quotes of the key and the one of a text.
      const uint8_t *end = text_ + mark[3];
      if (*at == '"' && *end == '"' && here->plain_field >= 0) {
        fields[here->plain_field] = {at + 1, uint32_t(end - at - 1), ol_string};
        at = end + 1;
        mark += 4;
      } else {
        if (*at == ' ') at++;
        place behind = pass_member({at, mark + 2}, fields, *here, depth);
        if (behind.at == nullptr) return nowhere;
        at = behind.at;
        mark = behind.mark;
      }
      if (*at != ',') return *at == '}' ? place{at + 1, mark} : nowhere;
      at++;
      // Said to be rare, it is a branch; without, the compiler lets every line wait for the sum.
      if (__builtin_expect(*at == ' ', 0)) at++;
    }
    return nowhere;
  }

 private:
  static constexpr place nowhere = {nullptr, nullptr};
  // No log line that we know nests deeper than eight.
  static constexpr int deepest = 16;
  static_assert(deepest + 1 + 3 + member_label::longest <= text_padding);

  const uint8_t *text_;
  const uint8_t *stop_;

  // Where the colon behind a key ends; null where there is none.
  const uint8_t *pass_key(place from) const {
    const uint8_t *end = text_ + from.mark[1];
    return *end == '"' && end[1] == ':' ? end + 2 : nullptr;
  }

  __attribute__((noinline)) place pass_member(place from, ol_field *fields, const member &known, int depth) const {
    ol_field ignored;
    if (known.inside) known.inside->forget(fields);
    return pass_value(from, known.field < 0 ? ignored : fields[known.field], fields, known.inside.get(), depth);
  }

  place pass_value(place from, ol_field &field, ol_field *fields, node *inside, int depth) const {
    if (*from.at != '"') return pass_other(from, field, fields, inside, depth);
    const uint8_t *end = text_ + from.mark[1];
    if (*end != '"') return nowhere;
    field = {from.at + 1, uint32_t(end - from.at - 1), ol_string};
    return {end + 1, from.mark + 2};
  }

  place pass_other(place from, ol_field &field, ol_field *fields, node *inside, int depth) const {
    if (from.at >= stop_) return nowhere;
    place behind = from;
    uint32_t kind = ol_other;
    switch (*from.at) {
      case '{':
        behind = inside == nullptr ? pass_unpicked(from, depth + 1) : pass_object(from, fields, *inside, depth + 1);
        break;
      case '[': behind = pass_array(from, depth + 1); break;
      case 't': behind.at = end_of_word(from.at, "true", 4); break;
      case 'f': behind.at = end_of_word(from.at, "false", 5); break;
      case 'n':
        kind = ol_null;
        behind.at = end_of_word(from.at, "null", 4);
        break;
      default:
        kind = ol_number;
        behind.at = end_of_number(from.at, stop_);
    }
    if (behind.at == nullptr) return nowhere;
    field = {from.at, uint32_t(behind.at - from.at), kind};
    return behind;
  }

  // Moves behind an object of which nothing is picked.
  place pass_unpicked(place from, int depth) const {
    if (depth > deepest) return nowhere;
    place place = {from.at + 1, from.mark};
    if (*place.at == '}') return {place.at + 1, place.mark};
    while (*place.at == '"') {
      ol_field ignored;
      place.at = pass_key(place);
      if (place.at == nullptr) return nowhere;
      place.mark += 2;
      if (*place.at == ' ') place.at++;
      place = pass_value(place, ignored, nullptr, nullptr, depth);
      if (place.at == nullptr) return nowhere;
      if (*place.at != ',') return *place.at == '}' ? quick_walk::place{place.at + 1, place.mark} : nowhere;
      place.at++;
      if (*place.at == ' ') place.at++;
    }
    return nowhere;
  }

  place pass_array(place from, int depth) const {
    if (depth > deepest) return nowhere;
    place place = {from.at + 1, from.mark};
    if (*place.at == ']') return {place.at + 1, place.mark};
    while (true) {
      ol_field ignored;
      place = pass_value(place, ignored, nullptr, nullptr, depth);
      if (place.at == nullptr) return nowhere;
      if (*place.at != ',') return *place.at == ']' ? quick_walk::place{place.at + 1, place.mark} : nowhere;
      place.at++;
      if (*place.at == ' ') place.at++;
    }
  }

  static const uint8_t *end_of_word(const uint8_t *at, const char *word, size_t length) {
    return memcmp(at, word, length) == 0 ? at + length : nullptr;
  }
};

#endif
