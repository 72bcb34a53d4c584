// Finds where the tokens of a JSON text begin.
#ifndef TOKEN_FINDER_HPP
#define TOKEN_FINDER_HPP

#include <memory>

#include "mark_finder.hpp"
#include "utf8.hpp"

// A token is a bracket, a colon, a comma, a string, or a run of other bytes without a blank between them: what a run
// means is for whoever walks over the tokens.
class token_finder {
 public:
  // A finder for texts of up to `longest_text` bytes.
  explicit token_finder(size_t longest_text)
      : find_marks_(marks::best_finder()),
        marks_(new uint32_t[longest_text + marks::slack + 1]),
        starts_(new uint32_t[longest_text]) {}

  // Finds the tokens of a text, behind which text_padding bytes are readable; false where it cannot be JSON: it is
  // blank or not in UTF-8, a string does not end, or a string holds a control character.
  bool find(const uint8_t *text, size_t length) {
    static_assert(marks::block <= text_padding);
    bool is_ascii = true;
    uint32_t *last = find_marks_(text, 0, length, marks_.get(), is_ascii);
    if (!is_ascii && !is_utf8(text, length)) return false;
    *last = uint32_t(length);
    mark_ = marks_.get();
    count_ = 0;
    // Whether the byte before is of a run that goes on.
    bool in_run = false;
    for (size_t at = 0; at < length;) {
      uint8_t byte = text[at];
      switch (byte) {
        case ' ':
        case '\t':
        case '\r':
        case '\n':
          in_run = false;
          at++;
          break;
        case '{':
        case '}':
        case '[':
        case ']':
        case ':':
        case ',':
          in_run = false;
          starts_[count_++] = uint32_t(at++);
          break;
        case '"':
          if (!in_run) starts_[count_++] = uint32_t(at);
          in_run = false;
          at = end_of_string(text, at + 1, length);
          if (at == 0) return false;
          break;
        default:
          if (!in_run) starts_[count_++] = uint32_t(at);
          in_run = true;
          at++;
          // A quote behind a backslash begins no string, here neither.
          if (byte == '\\' && at < length && (text[at] == '"' || text[at] == '\\')) at++;
      }
    }
    return count_ > 0;
  }

  uint32_t count() const { return count_; }
  uint32_t start_of(uint32_t token) const { return starts_[token]; }

 private:
  const marks::finder find_marks_;
  // Where the text's quotes, backslashes and control characters are, and behind them its length.
  std::unique_ptr<uint32_t[]> marks_;
  std::unique_ptr<uint32_t[]> starts_;
  // The first mark not passed yet.
  const uint32_t *mark_ = nullptr;
  uint32_t count_ = 0;

  // Where the string ends whose first byte stands at `at`, behind its quote; 0 where it does not.
  size_t end_of_string(const uint8_t *text, size_t at, size_t length) {
    while (true) {
      while (*mark_ < at) mark_++;
      size_t mark = *mark_;
      if (mark >= length) return 0;
      if (text[mark] == '"') return mark + 1;
      if (text[mark] != '\\' || mark + 1 >= length || text[mark + 1] < ' ') return 0;
      at = mark + 2;
    }
  }
};

#endif
