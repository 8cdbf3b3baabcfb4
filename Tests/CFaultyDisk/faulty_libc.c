// The C library's functions that modify files, for files on a `faulty_disk`. The linker finds these before
// the C library's own, which are reached by RTLD_NEXT.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "faulty_disk_internal.h"

#define REAL(name) ((__typeof__(&name))real(&name##_address, #name))

static void *real(_Atomic(void *) *address, const char *name) {
  void *found = *address;
  if (!found) {
    found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    *address = found;
  }
  return found;
}

static _Atomic(void *) write_address, fsync_address, rename_address, link_address, unlink_address,
  ftruncate_address, open_address;

// The disk of a path, if this thread is not below a disk already; to be released. NULL for none.
static faulty_disk *disk_of(const char *path) {
  return faulty_depth > 0 || !path || path[0] != '/' ? NULL : faulty_retained_disk(path);
}

// The same for an open file. SQLite's files have their own way, in faulty_vfs.c.
static faulty_disk *disk_of_open(int file) {
  if (faulty_depth > 0) return NULL;
  char name[32], path[PATH_MAX];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  int before = errno;
  ssize_t length = readlink(name, path, sizeof path - 1);
  errno = before;
  if (length <= 0) return NULL;
  path[length] = 0;
  faulty_disk *disk = disk_of(path);
  if (!disk) return NULL;
  faulty_enter(disk);
  int is_sqlite = faulty_file_known_as(disk, path, 0) != NULL;
  faulty_leave(disk);
  if (!is_sqlite) return disk;
  faulty_release_disk(disk);
  return NULL;
}

static int failing(int code) {
  errno = code;
  return -1;
}

// Counts a modification without bytes, and releases the disk.
// - Returns: whether it takes place; `*fails` says whether it is reported as failed.
static int is_made(faulty_disk *disk, int *fails) {
  faulty_enter(disk);
  faulty_verdict verdict = faulty_judge(disk, 0);
  int takes_place = faulty_takes_place(disk, verdict);
  faulty_leave(disk);
  faulty_release_disk(disk);
  *fails = verdict != faulty_passes;
  return takes_place;
}

// Releases the disk. - Returns: whether it has stopped.
static int is_stopped(faulty_disk *disk) {
  int has_stopped = faulty_disk_has_stopped(disk);
  faulty_release_disk(disk);
  return has_stopped;
}

ssize_t write(int file, const void *bytes, size_t count) {
  faulty_disk *disk = count > 0 ? disk_of_open(file) : NULL;
  if (!disk) return REAL(write)(file, bytes, count);
  faulty_enter(disk);
  faulty_verdict verdict = faulty_judge(disk, 1);
  size_t allowed = verdict == faulty_passes ? count
    : verdict == faulty_is_torn             ? (size_t)faulty_torn_part(disk->stop_seed, count)
                                            : 0;
  // Under the lock: what a dying process writes is there before the disk is revived.
  ssize_t written = allowed > 0 ? REAL(write)(file, bytes, allowed) : 0;
  faulty_leave(disk);
  faulty_release_disk(disk);
  if (verdict == faulty_passes) return written;
  return failing(verdict == faulty_finds_no_room ? ENOSPC : EIO);
}

int fsync(int file) {
  faulty_disk *disk = disk_of_open(file);
  if (!disk) return REAL(fsync)(file);
  int fails;
  is_made(disk, &fails);
  return fails ? failing(EIO) : 0;
}

int rename(const char *from, const char *to) {
  faulty_disk *disk = disk_of(to);
  if (!disk) return REAL(rename)(from, to);
  int fails;
  int result = is_made(disk, &fails) ? REAL(rename)(from, to) : 0;
  return fails ? failing(EIO) : result;
}

int link(const char *from, const char *to) {
  faulty_disk *disk = disk_of(to);
  if (!disk) return REAL(link)(from, to);
  int fails;
  int result = is_made(disk, &fails) ? REAL(link)(from, to) : 0;
  return fails ? failing(EIO) : result;
}

int unlink(const char *path) {
  faulty_disk *disk = disk_of(path);
  if (!disk) return REAL(unlink)(path);
  int fails;
  int result = is_made(disk, &fails) ? REAL(unlink)(path) : 0;
  return fails ? failing(EIO) : result;
}

int ftruncate(int file, off_t size) {
  faulty_disk *disk = disk_of_open(file);
  return disk && is_stopped(disk) ? failing(EIO) : REAL(ftruncate)(file, size);
}

// Opening is not counted. On a disk that has stopped it neither makes nor empties a file.
int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list rest;
    va_start(rest, flags);
    mode = (mode_t)va_arg(rest, int);
    va_end(rest);
  }
  faulty_disk *disk = flags & (O_CREAT | O_TRUNC) ? disk_of(path) : NULL;
  return disk && is_stopped(disk) ? failing(EIO) : REAL(open)(path, flags, mode);
}
