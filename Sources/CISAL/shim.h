#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

// A sum of products, which Swift takes no constant for.
static inline unsigned ol_isal_bytes_of_level_1(void) { return ISAL_DEF_LVL1_DEFAULT; }
