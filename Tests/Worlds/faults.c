/* Makes one system call of a program fail, or kills the program at it. Loaded with LD_PRELOAD.
 *
 * Calls that touch files under FAULT_UNDER are counted from 1, stdio and the loader aside.
 *   FAULT_LOG    appends a line a call: number, name, path
 *   FAULT_AT     the call to spoil
 *   FAULT_ERRNO  what it fails with
 *   FAULT_EVER   every later call fails too; with EROFS only those that write
 *   FAULT_KILL   SIGKILL instead of a failure, before the call is made
 *   FAULT_SHORT  a write takes half of its bytes and says so, instead of a failure
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static long calls;

static long number(const char *name) { const char *text = getenv(name); return text ? atol(text) : 0; }

static int is_under(const char *path) {
  const char *folder = getenv("FAULT_UNDER");
  return folder && !strncmp(path, folder, strlen(folder));
}

/* Where a path, or an open file when path is null, lies. */
static const char *place(int descriptor, const char *path, char *buffer) {
  if (path && path[0] == '/') return path;
  char link[64];
  if (descriptor == AT_FDCWD) strcpy(link, "/proc/self/cwd");
  else snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  long length = syscall(SYS_readlink, link, buffer, PATH_MAX);
  if (length < 0) length = 0;
  buffer[length] = 0;
  if (path) snprintf(buffer + length, PATH_MAX, "/%s", path);
  return buffer;
}

/* Whether this call is to fail; errno is set then. */
static int spoiled(const char *name, int writes, int descriptor, const char *path) {
  char buffer[2 * PATH_MAX];
  int kept = errno;
  const char *where = place(descriptor, path, buffer);
  errno = kept;
  if (!is_under(where)) return 0;
  long call = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST), at = number("FAULT_AT");
  const char *log = getenv("FAULT_LOG");
  if (log) {
    int file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    char line[3 * PATH_MAX];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", call, name, where);
    if (syscall(SYS_write, file, line, length) != length) abort();
    syscall(SYS_close, file);
    errno = kept;
  }
  if (!at || call < at || (call > at && !getenv("FAULT_EVER"))) return 0;
  if (getenv("FAULT_KILL")) syscall(SYS_kill, getpid(), SIGKILL);
  if (number("FAULT_ERRNO") == EROFS && !writes) return 0;
  errno = number("FAULT_ERRNO");
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define WRITES 1
#define READS 0

#define OPENS(name, at_parameter, at_argument, descriptor)                                    \
  int name(at_parameter const char *path, int flags, ...) {                                   \
    va_list list;                                                                             \
    va_start(list, flags);                                                                    \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;                 \
    va_end(list);                                                                             \
    int writes = (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0;                      \
    return spoiled(#name, writes, descriptor, path) ? -1 : REAL(name)(at_argument path, flags, mode); \
  }
#define COMMA ,
OPENS(open, , , AT_FDCWD)
OPENS(open64, , , AT_FDCWD)
OPENS(openat, int folder COMMA, folder COMMA, folder)
OPENS(openat64, int folder COMMA, folder COMMA, folder)

#define WRAP(kind, name, writes, descriptor, path, parameters, arguments)                     \
  kind name parameters { return spoiled(#name, writes, descriptor, path) ? (kind)-1 : REAL(name) arguments; }

WRAP(ssize_t, read, READS, file, 0, (int file, void *to, size_t size), (file, to, size))
WRAP(ssize_t, pread, READS, file, 0, (int file, void *to, size_t size, off_t from), (file, to, size, from))
WRAP(ssize_t, pread64, READS, file, 0, (int file, void *to, size_t size, off64_t from), (file, to, size, from))

#define WRITE(name, parameters, arguments)                                                    \
  ssize_t name parameters {                                                                   \
    if (spoiled(#name, WRITES, file, 0)) {                                                    \
      if (!getenv("FAULT_SHORT")) return -1;                                                  \
      size = (size + 1) / 2;                                                                  \
    }                                                                                         \
    return REAL(name) arguments;                                                              \
  }
WRITE(write, (int file, const void *bytes, size_t size), (file, bytes, size))
WRITE(pwrite, (int file, const void *bytes, size_t size, off_t to), (file, bytes, size, to))
WRITE(pwrite64, (int file, const void *bytes, size_t size, off64_t to), (file, bytes, size, to))

WRAP(int, fsync, WRITES, file, 0, (int file), (file))
WRAP(int, fdatasync, WRITES, file, 0, (int file), (file))
WRAP(int, ftruncate, WRITES, file, 0, (int file, off_t size), (file, size))
WRAP(int, ftruncate64, WRITES, file, 0, (int file, off64_t size), (file, size))
WRAP(int, fchmod, WRITES, file, 0, (int file, mode_t mode), (file, mode))
WRAP(int, flock, READS, file, 0, (int file, int how), (file, how))
WRAP(int, mkdir, WRITES, AT_FDCWD, path, (const char *path, mode_t mode), (path, mode))
WRAP(int, rmdir, WRITES, AT_FDCWD, path, (const char *path), (path))
WRAP(int, unlink, WRITES, AT_FDCWD, path, (const char *path), (path))
WRAP(int, unlinkat, WRITES, at, path, (int at, const char *path, int flags), (at, path, flags))
WRAP(int, link, WRITES, AT_FDCWD, to, (const char *from, const char *to), (from, to))
WRAP(int, symlink, WRITES, AT_FDCWD, to, (const char *from, const char *to), (from, to))
WRAP(int, rename, WRITES, AT_FDCWD, to, (const char *from, const char *to), (from, to))
WRAP(int, renameat, WRITES, b, to, (int a, const char *from, int b, const char *to), (a, from, b, to))
WRAP(int, renameat2, WRITES, b, to, (int a, const char *from, int b, const char *to, unsigned how), (a, from, b, to, how))
WRAP(int, lstat, READS, AT_FDCWD, path, (const char *path, struct stat *to), (path, to))
WRAP(int, stat, READS, AT_FDCWD, path, (const char *path, struct stat *to), (path, to))
WRAP(ssize_t, readlink, READS, AT_FDCWD, path, (const char *path, char *to, size_t size), (path, to, size))

DIR *opendir(const char *path) {
  return spoiled("opendir", READS, AT_FDCWD, path) ? NULL : REAL(opendir)(path);
}

struct dirent *readdir(DIR *folder) {
  return spoiled("readdir", READS, dirfd(folder), 0) ? NULL : REAL(readdir)(folder);
}

/* What is asked for happens all the same: a file cannot stay open because closing it failed. */
int close(int file) {
  int fails = spoiled("close", READS, file, 0), code = errno, status = REAL(close)(file);
  if (fails) errno = code;
  return fails ? -1 : status;
}

/* Locks of SQLite. */
#define LOCKS(name)                                                       \
  int name(int file, int what, ...) {                                     \
    va_list list;                                                         \
    va_start(list, what);                                                 \
    void *argument = va_arg(list, void *);                                \
    va_end(list);                                                         \
    int counts = what == F_SETLK || what == F_SETLKW;                     \
    if (counts && spoiled("lock", READS, file, 0)) return -1;             \
    return REAL(name)(file, what, argument);                              \
  }
LOCKS(fcntl)
LOCKS(fcntl64)
