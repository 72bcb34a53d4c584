#pragma once

// glibc shows these only under _GNU_SOURCE, which Swift's Glibc module is built without.

/// Swaps two paths of one file system in one step; the flag `renameat2` needs for it.
enum { OFFERLIFT_RENAME_EXCHANGE = 1 << 1 };

extern int renameat2(int old_directory, const char *old_path, int new_directory, const char *new_path,
                     unsigned int flags);

#include <malloc.h>
#include <stddef.h>
#include <stdint.h>

/// What is loaded of one file: the beginning of glibc's `struct dl_phdr_info`.
struct offerlift_loaded_object {
  uintptr_t address;
  const char *name;
};

extern int dl_iterate_phdr(int (*callback)(struct offerlift_loaded_object *, size_t, void *), void *data);
