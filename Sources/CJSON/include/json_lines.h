// Picks named members out of JSON Lines, a whole batch at a time.
#ifndef JSON_LINES_H
#define JSON_LINES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What stands in a field.
enum {
  ol_absent = 0,
  ol_null = 1,
  /// Text, unescaped.
  ol_string = 2,
  /// A JSON number, as it was typed.
  ol_number = 3,
  /// true, false, an array or an object, as it was typed.
  ol_other = 4
};

/// What a row is.
enum { ol_row_ok = 0, ol_row_malformed = 1, ol_row_invalid_utf8 = 2, ol_row_too_long = 3 };

/// One field of one row. The bytes live as long as the batch and the reader's next call.
typedef struct {
  const uint8_t *bytes;
  uint32_t length;
  uint32_t kind;
} ol_field;

/// One row: where it stands in the batch, and whether it could be read.
typedef struct {
  /// Offset of the first byte from the start of the batch, and length without the line end.
  uint32_t offset;
  uint32_t length;
  /// Lines before it in the batch.
  uint32_t line;
  uint32_t status;
} ol_row;

typedef struct ol_json_reader ol_json_reader;

/// Stands between the names of a path to a nested member: no key that people write holds it.
enum { ol_path_separator = 0x1f };

/// Makes a reader that picks the members called `names`, each once; a name may be a path into nested objects.
ol_json_reader *ol_json_reader_create(const char *const *names, size_t count,
                                      size_t longest_line);
void ol_json_reader_destroy(ol_json_reader *reader);

/// Reads rows from `length` bytes of whole lines (the last may lack its line end, or end behind an object of several), at
/// most `capacity` of them.
///
/// Blank lines are not rows, and byte order marks at the head of a line are passed over. A line may hold several objects
/// one after the other: each is a row, the last with what else stands on the line. A row is malformed unless it is exactly
/// one valid JSON object; of members with one name the last counts. `fields` takes `count` fields a row.
/// `ol_json_padding()` bytes behind the batch must be readable (their content does not matter). Returns the number of
/// rows; `*consumed` is how many bytes they and the blank lines around them took, `*lines` how many line ends stand among
/// those.
size_t ol_json_reader_read(ol_json_reader *reader, const uint8_t *batch, size_t length, ol_row *rows,
                           ol_field *fields, size_t capacity, size_t *consumed, size_t *lines);

/// Reads one JSON text that is in memory, which may span lines, and returns an `ol_row_…`.
///
/// `ol_json_padding()` bytes behind it must be readable. What the fields point at lives until
/// `ol_json_reader_forget`, or the next batch.
uint32_t ol_json_reader_read_text(ol_json_reader *reader, const uint8_t *text, size_t length, ol_field *fields);

/// Gives back what fields of texts read so far point at.
void ol_json_reader_forget(ol_json_reader *reader);

/// Where what follows the last whole object begins of those that a text begins with, one after the other, by their
/// brackets alone: objects behind which nothing is in sight are not among them. 0 where there is none.
size_t ol_json_objects_length(const uint8_t *text, size_t length);

/// Whether the bytes are UTF-8.
int ol_is_utf8(const uint8_t *bytes, size_t length);

/// Where a text first stands among bytes; NULL where it does not. The C library's `memmem`, which Swift does not see.
const uint8_t *ol_find(const uint8_t *bytes, size_t length, const uint8_t *text, size_t text_length);

/// How many of the bytes are line feeds.
size_t ol_count_line_feeds(const uint8_t *bytes, size_t length);

/// Asks for the cache line at `address` ahead of its use.
static inline void ol_prefetch(const void *address) { __builtin_prefetch(address, 0, 3); }

/// How many bytes must be readable behind a batch.
size_t ol_json_padding(void);

#ifdef __cplusplus
}
#endif
#endif
