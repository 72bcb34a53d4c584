/* Records what a disk surely has, so that power.py can tell what is left when the power goes. Loaded with LD_PRELOAD.
 *
 *   POWER_UNDER  the folder whose files are watched
 *   POWER_KEEP   a folder on the same disk:
 *     log        the steps on names, in their order
 *     i<inode>   a second name of every file made, so that its bytes stay and its number is not given again
 *     d<inode>   a file's bytes when it was last flushed; of one that stood there, before it was opened for writing
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_under(const char *path) {
  const char *folder = getenv("POWER_UNDER");
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

static void keep(const char *kind, unsigned long inode, char *path) {
  snprintf(path, PATH_MAX, "%s/%s%lu", getenv("POWER_KEEP"), kind, inode);
}

static void note(const char *step, const char *one, const char *two) {
  char line[3 * PATH_MAX], path[PATH_MAX];
  snprintf(path, sizeof path, "%s/log", getenv("POWER_KEEP"));
  int length = snprintf(line, sizeof line, "%s\t%s\t%s\n", step, one, two);
  int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (syscall(SYS_write, file, line, length) != length) abort();
  syscall(SYS_close, file);
}

/* A file's bytes as they are now become what the disk has. */
static void flushed(const char *source, unsigned long inode, int only_first) {
  char path[PATH_MAX], bytes[1 << 16];
  keep("d", inode, path);
  if (only_first && !syscall(SYS_access, path, F_OK)) return;
  int from = syscall(SYS_openat, AT_FDCWD, source, O_RDONLY | O_CLOEXEC);
  int to = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  long length;
  while ((length = syscall(SYS_read, from, bytes, sizeof bytes)) > 0)
    if (syscall(SYS_write, to, bytes, length) != length) abort();
  syscall(SYS_close, from);
  syscall(SYS_close, to);
}

static int opened(const char *path, int flags, mode_t mode, int folder, int (*real)(int, const char *, int, mode_t)) {
  char buffer[2 * PATH_MAX], link[64], name[PATH_MAX], number[32];
  const char *where = place(folder, path, buffer);
  if (!is_under(where) || !(flags & (O_WRONLY | O_RDWR | O_CREAT))) return real(folder, path, flags, mode);
  pthread_mutex_lock(&lock);
  struct stat found;
  int stood = !fstatat(AT_FDCWD, where, &found, 0);
  if (stood && S_ISREG(found.st_mode)) flushed(where, found.st_ino, 1);
  int file = real(folder, path, flags, mode), code = errno;
  if (file >= 0 && !stood && !fstat(file, &found)) {
    keep("i", found.st_ino, name);
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    syscall(SYS_linkat, AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
    snprintf(number, sizeof number, "%lu", (unsigned long)found.st_ino);
    note("file", where, number);
  }
  pthread_mutex_unlock(&lock);
  errno = code;
  return file;
}

static int really_open(int folder, const char *path, int flags, mode_t mode) {
  return REAL(openat)(folder, path, flags, mode);
}

#define OPENS(name, parameter, descriptor)                                     \
  int name(parameter const char *path, int flags, ...) {                       \
    va_list list;                                                              \
    va_start(list, flags);                                                     \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;  \
    va_end(list);                                                              \
    return opened(path, flags, mode, descriptor, really_open);                 \
  }
#define COMMA ,
OPENS(open, , AT_FDCWD)
OPENS(open64, , AT_FDCWD)
OPENS(openat64, int folder COMMA, folder)

/* A step on names, noted where it was taken. */
#define STEP(name, parameters, arguments, step, at_one, one, at_two, two)      \
  int name parameters {                                                        \
    char first[2 * PATH_MAX], second[2 * PATH_MAX];                            \
    const char *from = place(at_one, one, first), *to = two ? place(at_two, two, second) : ""; \
    if (!is_under(*to ? to : from)) return REAL(name) arguments;               \
    pthread_mutex_lock(&lock);                                                 \
    int status = REAL(name) arguments, code = errno;                           \
    if (!status) note(step, from, to);                                         \
    pthread_mutex_unlock(&lock);                                               \
    errno = code;                                                              \
    return status;                                                             \
  }
#define NONE ((const char *)0)
STEP(mkdir, (const char *path, mode_t mode), (path, mode), "folder", AT_FDCWD, path, 0, NONE)
STEP(rmdir, (const char *path), (path), "remove", AT_FDCWD, path, 0, NONE)
STEP(unlink, (const char *path), (path), "remove", AT_FDCWD, path, 0, NONE)
STEP(unlinkat, (int at, const char *path, int flags), (at, path, flags), "remove", at, path, 0, NONE)
STEP(link, (const char *a, const char *b), (a, b), "link", AT_FDCWD, a, AT_FDCWD, b)
STEP(rename, (const char *a, const char *b), (a, b), "rename", AT_FDCWD, a, AT_FDCWD, b)
STEP(renameat, (int x, const char *a, int y, const char *b), (x, a, y, b), "rename", x, a, y, b)
STEP(renameat2, (int x, const char *a, int y, const char *b, unsigned how), (x, a, y, b, how),
     how & RENAME_EXCHANGE ? "swap" : "rename", x, a, y, b)

int symlink(const char *target, const char *path) {
  char buffer[2 * PATH_MAX];
  const char *where = place(AT_FDCWD, path, buffer);
  if (!is_under(where)) return REAL(symlink)(target, path);
  pthread_mutex_lock(&lock);
  int status = REAL(symlink)(target, path), code = errno;
  if (!status) note("symlink", target, where);
  pthread_mutex_unlock(&lock);
  errno = code;
  return status;
}

static void synced(int file) {
  char buffer[2 * PATH_MAX], link[64];
  struct stat found;
  const char *where = place(file, 0, buffer);
  if (!is_under(where) || fstat(file, &found)) return;
  pthread_mutex_lock(&lock);
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (S_ISDIR(found.st_mode)) note("synced", where, "");
  else flushed(link, found.st_ino, 0);
  pthread_mutex_unlock(&lock);
}

#define FLUSHES(name)                                                          \
  int name(int file) {                                                         \
    int status = REAL(name)(file), code = errno;                               \
    if (!status) synced(file);                                                 \
    errno = code;                                                              \
    return status;                                                             \
  }
FLUSHES(fsync)
FLUSHES(fdatasync)
