#include "json_lines.h"

#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "json_number.hpp"
#include "json_string.hpp"
#include "picked_members.hpp"
#include "quick_lines.hpp"
#include "token_finder.hpp"
#include "utf8.hpp"

// Nearly all lines are plain, and `quick_lines` reads them. Whatever it leaves is read by the walk here over its tokens,
// which alone decides what is JSON and what is wrong with a line that is not.
//
// Neither of simdjson's parsers serves a log: the DOM turns a price into binary floating point and refuses integers over
// 64 bits, and On-Demand does not look at what nobody asks for.

namespace {

// Deeper nesting is refused: no log line has it, and the walk recurses.
constexpr int deepest = 512;
constexpr size_t arena_block = 1 << 16;

bool is_space(uint8_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Past the byte order marks that shards bring with them when they are joined.
const uint8_t *past_marks(const uint8_t *at, const uint8_t *end) {
  while (end - at >= 3 && at[0] == 0xef && at[1] == 0xbb && at[2] == 0xbf) at += 3;
  return at;
}

const uint8_t *past_spaces(const uint8_t *at, const uint8_t *end) {
  while (at < end && is_space(*at)) at++;
  return at;
}

// Past what may stand between two objects of one line.
const uint8_t *past_gap(const uint8_t *at, const uint8_t *end) {
  while (true) {
    const uint8_t *next = past_marks(past_spaces(at, end), end);
    if (next == at) return at;
    at = next;
  }
}

// How long the object is that a text begins with, by its quotes and brackets alone; 0 where it does not end within.
size_t object_length(const uint8_t *text, const uint8_t *stop) {
  bool is_text = false;
  size_t depth = 0;
  for (const uint8_t *at = text; at < stop; at++) {
    if (is_text && *at == '\\') {
      at++;
      continue;
    }
    if (*at == '"') is_text = !is_text;
    if (is_text) continue;
    switch (*at) {
      case '{':
      case '[': depth++; break;
      case '}':
      case ']':
        if (--depth == 0) return size_t(at - text) + 1;
    }
  }
  return 0;
}

bool is_word(const uint8_t *at, const uint8_t *end, std::string_view word) {
  return size_t(end - at) == word.size() && memcmp(at, word.data(), word.size()) == 0;
}

// Unescaped text that outlives the line, until the next batch. Blocks stay where they are: fields point in.
class text_arena {
 public:
  void clear() {
    if (blocks_.size() > 1) blocks_.erase(blocks_.begin(), blocks_.end() - 1);
    used_ = 0;
  }

  uint8_t *reserve(size_t length) {
    if (blocks_.empty() || size_ - used_ < length) {
      size_ = length > arena_block ? length : arena_block;
      blocks_.emplace_back(new uint8_t[size_]);
      used_ = 0;
    }
    uint8_t *place = blocks_.back().get() + used_;
    used_ += length;
    return place;
  }

 private:
  std::vector<std::unique_ptr<uint8_t[]>> blocks_;
  size_t used_ = 0;
  size_t size_ = 0;
};

}  // namespace

struct ol_json_reader {
  explicit ol_json_reader(size_t longest_line) : longest_line(longest_line), tokens(longest_line), quick(longest_line) {}

  node root;
  size_t width = 0;
  const size_t longest_line;
  token_finder tokens;
  quick_lines quick;
  text_arena arena;

  // The line being walked: its bytes, whether a backslash stands among them, and the token reached.
  const uint8_t *line = nullptr;
  bool has_backslash = true;
  uint32_t length = 0;
  uint32_t at = 0;
  uint32_t token_count = 0;

  bool at_end() const { return at >= token_count; }
  uint32_t start_of(uint32_t token) const { return tokens.start_of(token); }
  uint8_t current() const { return at_end() ? 0 : line[start_of(at)]; }

  bool take(uint8_t c) {
    if (current() != c) return false;
    at++;
    return true;
  }

  // The bytes of the token reached, without the blanks behind it; moves past it.
  void take_token(const uint8_t *&begin, const uint8_t *&end) {
    begin = line + start_of(at);
    at++;
    end = line + (at_end() ? length : start_of(at));
    while (end > begin && is_space(end[-1])) end--;
  }

  bool take_string(const uint8_t *&begin, const uint8_t *&end);
  bool take_value(ol_field &field, ol_field *fields, node *inside, int depth);
  bool take_array(int depth);
  bool take_object(ol_field *fields, node *known, int depth);
  bool take_member(ol_field *fields, member *known, int depth);
  uint32_t read_line(const uint8_t *bytes, size_t count, ol_field *fields);
  const uint8_t *read_first(const uint8_t *begin, const uint8_t *text, const uint8_t *end, ol_field *fields,
                            ol_row &row, bool has_several);
};

bool ol_json_reader::take_string(const uint8_t *&begin, const uint8_t *&end) {
  if (current() != '"') return false;
  take_token(begin, end);
  if (end - begin < 2 || end[-1] != '"') return false;
  begin++;
  end--;
  if (!has_backslash || memchr(begin, '\\', size_t(end - begin)) == nullptr) return true;
  uint8_t *place = arena.reserve(size_t(end - begin));
  uint8_t *stop = unescape(begin, end, place);
  if (stop == nullptr) return false;
  begin = place;
  end = stop;
  return true;
}

// `inside` is null where nothing within the value is picked.
bool ol_json_reader::take_value(ol_field &field, ol_field *fields, node *inside, int depth) {
  const uint8_t *begin;
  const uint8_t *end;
  bool is_valid;
  switch (current()) {
    case '"':
      field.kind = ol_string;
      is_valid = take_string(begin, end);
      break;
    case '{':
    case '[': {
      field.kind = ol_other;
      begin = line + start_of(at);
      is_valid = current() == '{' ? take_object(fields, inside, depth + 1) : take_array(depth + 1);
      end = line + (at_end() ? length : start_of(at));
      break;
    }
    case 'n':
      field.kind = ol_null;
      take_token(begin, end);
      is_valid = is_word(begin, end, "null");
      break;
    case 't':
    case 'f':
      field.kind = ol_other;
      take_token(begin, end);
      is_valid = is_word(begin, end, "true") || is_word(begin, end, "false");
      break;
    default:
      if (at_end()) return false;
      field.kind = ol_number;
      take_token(begin, end);
      is_valid = is_number(begin, end);
  }
  field.bytes = begin;
  field.length = uint32_t(end - begin);
  return is_valid;
}

bool ol_json_reader::take_array(int depth) {
  if (depth > deepest || !take('[')) return false;
  if (take(']')) return true;
  ol_field ignored;
  do {
    if (!take_value(ignored, nullptr, nullptr, depth)) return false;
  } while (take(','));
  return take(']');
}

// `known` is null where nothing of the object is picked: its members are checked, and that is all.
bool ol_json_reader::take_object(ol_field *fields, node *known, int depth) {
  if (depth > deepest || !take('{')) return false;
  if (take('}')) return true;
  member *last = known == nullptr ? nullptr : known->before_first();
  do {
    const uint8_t *begin;
    const uint8_t *end;
    if (!take_string(begin, end) || !take(':')) return false;
    member *member = known == nullptr ? nullptr : known->called(begin, size_t(end - begin), last);
    if (member != nullptr && !member->is_nobody()) last = member;
    if (!take_member(fields, member, depth)) return false;
  } while (take(','));
  return take('}');
}

bool ol_json_reader::take_member(ol_field *fields, member *known, int depth) {
  ol_field ignored;
  if (known == nullptr) return take_value(ignored, nullptr, nullptr, depth);
  if (known->inside) known->inside->forget(fields);
  return take_value(known->field < 0 ? ignored : fields[known->field], fields, known->inside.get(), depth);
}

uint32_t ol_json_reader::read_line(const uint8_t *bytes, size_t count, ol_field *fields) {
  if (count > longest_line) return ol_row_too_long;
  if (!tokens.find(bytes, count)) return ol_is_utf8(bytes, count) ? ol_row_malformed : ol_row_invalid_utf8;
  line = bytes;
  length = uint32_t(count);
  has_backslash = memchr(bytes, '\\', count) != nullptr;
  at = 0;
  token_count = tokens.count();
  return take_object(fields, &root, 0) && at_end() ? ol_row_ok : ol_row_malformed;
}

// Reads a line, or what is left of one, as one row: all of it where that is one object, else the first object of several.
// `text` is where the line's first byte stands that is no blank. Returns where what is left begins, `end` where nothing is.
const uint8_t *ol_json_reader::read_first(const uint8_t *begin, const uint8_t *text, const uint8_t *end,
                                          ol_field *fields, ol_row &row, bool has_several) {
  auto read = [&](const uint8_t *stop) {
    // Once more, where a walk has begun to fill them in.
    memset(fields, 0, width * sizeof(ol_field));
    row.length = uint32_t(stop - begin);
    row.status = read_line(begin, row.length, fields);
    return row.status == ol_row_ok;
  };
  // Of several objects each is read by itself at once: a line of thousands is not looked at thousands of times.
  if (!has_several && read(end)) return end;
  size_t length = *text == '{' ? object_length(text, end) : 0;
  const uint8_t *rest = length == 0 ? end : past_gap(text + length, end);
  // What is no object behind one spoils it, as it does where a line has but one.
  if (rest == end || *rest != '{') {
    // But behind the last object a mark may stand: that of the next one, before which a long line was cut.
    bool has_gap = length != 0 && rest == end && text + length < end;
    if (!(has_gap && read(text + length)) && (has_several || has_gap)) read(end);
    return end;
  }
  read(text + length);
  return rest;
}

extern "C" {

ol_json_reader *ol_json_reader_create(const char *const *names, size_t count, size_t longest_line) {
  auto reader = std::make_unique<ol_json_reader>(longest_line);
  for (size_t index = 0; index < count; index++) reader->root.add(names[index], int(index));
  reader->width = count;
  return reader.release();
}

void ol_json_reader_destroy(ol_json_reader *reader) { delete reader; }

size_t ol_json_reader_read(ol_json_reader *reader, const uint8_t *batch, size_t length, ol_row *rows,
                           ol_field *fields, size_t capacity, size_t *consumed, size_t *lines) {
  size_t width = reader->width;
  size_t count = 0;
  size_t at = 0;
  size_t line = 0;
  reader->arena.clear();
  reader->quick.begin(batch, length);
  // Where the line ends that is read by its tokens, and whether objects of it have been read.
  const uint8_t *line_end = nullptr;
  bool has_several = false;
  while (at < length && count < capacity) {
    const uint8_t *begin = batch + at;
    if (*begin == '{' && !has_several) {
      ol_field *row_fields = fields + count * width;
      memset(row_fields, 0, width * sizeof(ol_field));
      // An object that ends where its line does, so that nobody need look for the line's end.
      size_t end = reader->quick.read(at, row_fields, reader->root);
      if (end != 0) {
        rows[count++] = {uint32_t(at), uint32_t(end - at), uint32_t(line), ol_row_ok};
        at = end;
        if (at < length && batch[at] == '\r') at++;
        if (at < length) {
          at++;
          line++;
        }
        continue;
      }
    }
    if (line_end == nullptr) {
      auto found = static_cast<const uint8_t *>(memchr(begin, '\n', length - at));
      line_end = found == nullptr ? batch + length : found;
    }
    const uint8_t *end = line_end;
    if (end > begin && end[-1] == '\r') end--;
    const uint8_t *text = past_spaces(begin, end);
    for (const uint8_t *behind = past_marks(text, end); behind != text; behind = past_marks(text, end)) {
      begin = behind;
      text = past_spaces(begin, end);
    }
    if (text < end) {
      ol_field *row_fields = fields + count * width;
      ol_row &row = rows[count++];
      const uint8_t *behind = reader->read_first(begin, text, end, row_fields, row, has_several);
      row.offset = uint32_t(begin - batch);
      row.line = uint32_t(line);
      if (behind < end) {
        // The line goes on with what may be another object.
        has_several = true;
        at = size_t(behind - batch);
        continue;
      }
    }
    at = size_t(line_end - batch);
    line_end = nullptr;
    has_several = false;
    if (at < length) {
      at++;
      line++;
    }
  }
  *consumed = at;
  *lines = line;
  return count;
}

uint32_t ol_json_reader_read_text(ol_json_reader *reader, const uint8_t *text, size_t length, ol_field *fields) {
  memset(fields, 0, reader->width * sizeof(ol_field));
  reader->quick.begin(text, length);
  if (length > 0 && *text == '{') {
    if (reader->quick.read(0, fields, reader->root) == length) return ol_row_ok;
    memset(fields, 0, reader->width * sizeof(ol_field));
  }
  return reader->read_line(text, length, fields);
}

void ol_json_reader_forget(ol_json_reader *reader) { reader->arena.clear(); }

size_t ol_json_objects_length(const uint8_t *text, size_t length) {
  const uint8_t *stop = text + length;
  const uint8_t *at = past_gap(text, stop);
  size_t end = 0;
  while (at < stop && *at == '{') {
    size_t next = object_length(at, stop);
    if (next == 0) break;
    at = past_gap(at + next, stop);
    // Another object begins a row of its own, wherever the text was cut; anything else is of the row before it.
    if (at < stop && *at == '{') end = size_t(at - text);
  }
  return end;
}

int ol_is_utf8(const uint8_t *bytes, size_t length) {
  return is_utf8(bytes, length);
}

const uint8_t *ol_find(const uint8_t *bytes, size_t length, const uint8_t *text, size_t text_length) {
  return static_cast<const uint8_t *>(memmem(bytes, length, text, text_length));
}

size_t ol_count_line_feeds(const uint8_t *bytes, size_t length) {
  // In blocks whose count fits a byte the compiler compares and adds sixteen bytes at a time: ten times as fast.
  const size_t block = 192;
  size_t count = 0;
  for (; length >= block; bytes += block, length -= block) {
    uint8_t found = 0;
    for (size_t place = 0; place < block; place++) found += bytes[place] == '\n';
    count += found;
  }
  for (size_t place = 0; place < length; place++) count += bytes[place] == '\n';
  return count;
}

size_t ol_json_padding(void) { return text_padding; }

}  // extern "C"
