// The one place that uses what simdjson keeps to itself (`simdjson::internal`): its first stage.
#ifndef TOKEN_FINDER_HPP
#define TOKEN_FINDER_HPP

#include <dlfcn.h>
#include <simdjson.h>

#include <memory>

static_assert(
    simdjson::SIMDJSON_VERSION_MAJOR == 3 && simdjson::SIMDJSON_VERSION_MINOR == 0 &&
        simdjson::SIMDJSON_VERSION_REVISION == 1,
    "Offerlift uses simdjson's internal first stage, and was tested with simdjson 3.0.1 alone; the header found is of "
    "another version. Install that version (Debian 12: libsimdjson-dev), or add this one here once the tests of "
    "Engine/Reading pass with it.");

// Finds where every token of a text begins, and checks UTF-8, control characters and the ends of strings, at several
// gigabytes a second. Measured on 333-byte lines: 2.1 GB/s a core.
class token_finder {
 public:
  // A finder for texts of up to `longest_text` bytes; null where there is no memory for it.
  static std::unique_ptr<token_finder> make(size_t longest_text) {
    auto finder = std::make_unique<token_finder>();
    auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(
        longest_text + simdjson::SIMDJSON_PADDING, simdjson::DEFAULT_MAX_DEPTH, finder->stage_);
    return error ? nullptr : std::move(finder);
  }

  // Finds the tokens of a text, behind which SIMDJSON_PADDING bytes are readable; false where it cannot be JSON.
  bool find(const uint8_t *text, size_t length) {
    return stage_->stage1(text, length, simdjson::stage1_mode::regular) == simdjson::SUCCESS;
  }

  uint32_t count() const { return stage_->n_structural_indexes; }
  uint32_t start_of(uint32_t token) const { return stage_->structural_indexes[token]; }
  const uint32_t *starts() const { return stage_->structural_indexes.get(); }

  // Writes the string that begins behind a quote to `place`, escapes undone, and returns where it ends there; null
  // where an escape is none.
  uint8_t *unescape(const uint8_t *string, uint8_t *place) { return stage_->parse_string(string, place); }

  // The version of the header.
  static constexpr const char *built_with = "3.0.1";

  // The shared object's file; it has no function that tells its version.
  static const char *library() {
    Dl_info found;
    auto known = reinterpret_cast<const void *>(&simdjson::get_active_implementation);
    return dladdr(known, &found) != 0 && found.dli_fname != nullptr ? found.dli_fname : "";
  }

 private:
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stage_;
};

#endif
