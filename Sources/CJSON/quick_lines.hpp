// Reads the plain lines of a batch, and leaves the others.
#ifndef QUICK_LINES_HPP
#define QUICK_LINES_HPP

#include <algorithm>
#include <vector>

#include "mark_finder.hpp"
#include "quick_walk.hpp"
#include "utf8.hpp"

// Finds the marks of many lines at once, and walks over one line after another. Where line after line turns out not to
// be plain it hardly tries any more: a log full of escapes takes no longer than without it.
class quick_lines {
 public:
  explicit quick_lines(size_t longest_line) : longest_line_(longest_line) {}

  // A batch follows that has nothing to do with the last one.
  void begin(const uint8_t *batch, size_t length) {
    batch_ = batch;
    length_ = length;
    covered_ = 0;
  }

  // Reads the object that begins at `at`, where a line does, into `fields`, all of them absent, and returns the offset
  // behind the object, where the line ends; 0 where the line must be read by its tokens, and fields may be filled in.
  size_t read(size_t at, ol_field *fields, node &root) {
    if (pause_ > 0) {
      pause_--;
      return 0;
    }
    size_t end = walk(at, fields, root);
    failures_ = end == 0 ? failures_ + 1 : 0;
    if (failures_ >= patience) pause_ = pause;
    return end;
  }

 private:
  // Marks are found in so many bytes at once, few enough for them to stay in a near cache until they are used.
  static constexpr size_t stretch = 1 << 15;
  // After so many lines in a row that were not plain, so many go by untried before the next.
  static constexpr size_t patience = 4;
  static constexpr size_t pause = 255;

  const size_t longest_line_;
  const marks::finder find_ = marks::best_finder();
  const uint8_t *batch_ = nullptr;
  size_t length_ = 0;
  // The lines that begin before this offset have all their marks among those found, from `next_` on.
  size_t covered_ = 0;
  std::vector<uint32_t> marks_;
  const uint32_t *next_ = nullptr;
  // No line that is covered has a byte beyond ASCII, so that none must be looked at for it.
  bool is_ascii_ = true;
  size_t pause_ = 0;
  size_t failures_ = 0;

  size_t walk(size_t at, ol_field *fields, node &root) {
    if (at >= covered_ && !cover(at)) return 0;
    while (*next_ < at) next_++;
    quick_walk::place end =
        quick_walk(batch_, length_).pass_object({batch_ + at, next_}, fields, root, 0);
    if (end.at == nullptr || !is_line_end(end.at)) return 0;
    next_ = end.mark;
    auto length = size_t(end.at - batch_) - at;
    if (length > longest_line_) return 0;
    if (!is_ascii_ && !is_utf8(batch_ + at, length)) return 0;
    return at + length;
  }

  bool is_line_end(const uint8_t *at) const {
    const uint8_t *stop = batch_ + length_;
    if (at < stop && *at == '\r') at++;
    return at == stop || (at < stop && *at == '\n');
  }

  // Finds the marks of the lines from `at` on, one line at least; false where that would be too long a line.
  bool cover(size_t at) {
    for (size_t size = stretch;; size *= 2) {
      size_t to = length_ - at > size ? at + size : length_;
      if (marks_.size() < to - at + marks::slack) marks_.resize(to - at + marks::slack);
      is_ascii_ = true;
      uint32_t *end = find_(batch_, at, to, marks_.data(), is_ascii_);
      next_ = marks_.data();
      const uint32_t *last = end;
      while (last > next_ && batch_[last[-1]] != '\n') last--;
      if (last > next_) {
        covered_ = last[-1] + 1;
        return true;
      }
      if (to == length_) {
        // A text that does not end looks for its end here: at the bracket of the object, which is no quote.
        std::fill(end, end + 4, uint32_t(at));
        covered_ = length_;
        return true;
      }
      covered_ = 0;
      if (size > longest_line_) return false;
    }
  }
};

#endif
