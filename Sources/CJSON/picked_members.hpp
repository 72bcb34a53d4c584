// Which members of an object are picked, and which one a line is expected to have next.
#ifndef PICKED_MEMBERS_HPP
#define PICKED_MEMBERS_HPP

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "json_lines.h"

// A member's name, compared eight bytes at a time.
class member_name {
 public:
  explicit member_name(std::string text) : text_(std::move(text)) {
    memcpy(&first_, text_.data(), text_.size() < 8 ? text_.size() : 8);
    if (text_.size() > 8) memcpy(&last_, text_.data() + text_.size() - 8, 8);
  }

  const std::string &text() const { return text_; }

  // Eight bytes from `begin` on are readable: keys stand in lines, behind which there is padding.
  bool is(const uint8_t *begin, size_t length) const {
    if (length != text_.size()) return false;
    if (length > 16) return memcmp(text_.data(), begin, length) == 0;
    uint64_t first;
    memcpy(&first, begin, 8);
    if (length < 8) return length == 0 || (first ^ first_) << (64 - 8 * length) == 0;
    if (length == 8) return first == first_;
    uint64_t last;
    memcpy(&last, begin + length - 8, 8);
    return first == first_ && last == last_;
  }

 private:
  std::string text_;
  // The first eight bytes, filled up with zeros, and the last eight of a longer name. Little-endian, as every processor
  // is that this program is built for: the bytes beyond a shorter key are shifted out at the top.
  uint64_t first_ = 0;
  uint64_t last_ = 0;
};

// A member's name as lines have it, with the quote and the colon behind it, compared sixteen bytes at a time.
class member_label {
 public:
  static constexpr size_t longest = 32;

  // A label that no line has.
  member_label() { memset(words_, 0xff, sizeof words_); }

  // A name that is too long, or that cannot stand between quotes as it is, has a label that no line has.
  explicit member_label(const std::string &name) : member_label() {
    if (name.size() + 2 > longest) return;
    for (char c : name) {
      if (c == '"' || c == '\\' || uint8_t(c) < ' ') return;
    }
    length_ = name.size() + 2;
    memset(words_, 0, sizeof words_);
    memcpy(words_, (name + "\":").data(), length_);
    memset(masks_, 0xff, length_);
  }

  size_t length() const { return length_; }

  // The label stands at `at`; `longest` bytes from there on are readable.
  bool stands(const uint8_t *at) const {
    uint64_t words[longest / 8];
    memcpy(words, at, sizeof words);
    // Few labels are longer than half of it.
    if (((words[0] & masks_[0]) ^ words_[0]) | ((words[1] & masks_[1]) ^ words_[1])) return false;
    return length_ <= 16 || (((words[2] & masks_[2]) ^ words_[2]) | ((words[3] & masks_[3]) ^ words_[3])) == 0;
  }

 private:
  // The bytes, filled up with zeros, and which of them count.
  uint64_t words_[longest / 8];
  uint64_t masks_[longest / 8] = {};
  size_t length_ = 0;
};

class node;

// A member that is picked, looked into, or both; or one that lines have and nobody asks for.
struct member {
  explicit member(const std::string &name) : label(name), name(name) {}

  member_label label;
  // Index of its field; -1 where only what lies inside is picked, or nothing at all.
  int field = -1;
  // The same, but -1, too, where something inside is picked.
  int plain_field = -1;
  // Members that came behind it: the first that ever did, and others. The lines of one log share an order, or a few.
  member *next[4] = {&nobody, &nobody, &nobody, &nobody};
  std::unique_ptr<node> inside;
  member_name name;

  bool is_nobody() const { return this == &nobody; }

  // Stands where there is no member.
  static member nobody;

 private:
  member() : name("") {}
};

// An object's members that are picked or looked into.
class node {
 public:
  void add(std::string_view path, int field) {
    size_t split = path.find(ol_path_separator);
    std::string name(path.substr(0, split));
    size_t index = 0;
    while (index < members_.size() && members_[index].name.text() != name) index++;
    if (index == members_.size()) members_.emplace_back(name);
    member &member = members_[index];
    if (split == std::string_view::npos) {
      member.field = field;
    } else {
      if (!member.inside) member.inside = std::make_unique<node>();
      member.inside->add(path.substr(split + 1), field);
    }
    member.plain_field = member.inside ? -1 : member.field;
  }

  // What the first member of an object comes behind.
  member *before_first() { return &before_first_; }

  // The member with this name, which comes behind `last`; `member::nobody` where nobody asks for it and it is not kept
  // either.
  member *called(const uint8_t *key, size_t length, member *last) {
    for (member *next : last->next) {
      if (next->name.is(key, length) && !next->is_nobody()) return next;
    }
    return searched(key, length, last);
  }

  // Of members with one name the last counts: what an earlier one held is forgotten.
  void forget(ol_field *fields) const {
    for (const member &known : members_) {
      if (known.field >= 0) fields[known.field] = ol_field{};
      if (known.inside) known.inside->forget(fields);
    }
  }

 private:
  // They stay where they are: members point to one another.
  std::deque<member> members_;
  member before_first_{""};
  // How many names that nobody asks for may still be kept, so that they are expected like the others.
  int room_ = 16;

  member *searched(const uint8_t *key, size_t length, member *last) {
    member *found = &member::nobody;
    for (member &known : members_) {
      if (known.name.is(key, length)) found = &known;
    }
    if (found->is_nobody()) {
      if (room_ == 0 || length > member_label::longest) return found;
      room_--;
      found = &members_.emplace_back(std::string(reinterpret_cast<const char *>(key), length));
    }
    member **place = std::find_if(last->next, last->next + 3, [](member *next) { return next->is_nobody(); });
    *place = found;
    return found;
  }
};

inline member member::nobody;

#endif
