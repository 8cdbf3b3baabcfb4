#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faulty_disk_internal.h"

static pthread_mutex_t disks_lock = PTHREAD_MUTEX_INITIALIZER;
static faulty_disk *disks;
static _Atomic int mounted;

// MARK: Chance

// splitmix64
static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint64_t faulty_torn_part(uint64_t seed, uint64_t bytes) {
  switch (next_random(&seed) & 3) {
    case 0: return 0;
    case 1: return bytes;
    default: return next_random(&seed) % (bytes + 1);
  }
}

// MARK: Disks and paths

// The part of `path` behind the folder and its slash, or NULL.
static const char *behind(const char *path, const char *folder) {
  if (!folder) return NULL;
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

static const char *place_on(const faulty_disk *disk, const char *path) {
  const char *place = behind(path, disk->folder);
  return place ? place : behind(path, disk->resolved);
}

// With `disks_lock` held. The innermost folder leaves the shortest rest of the path.
static faulty_disk *find_disk(const char *path) {
  faulty_disk *found = NULL;
  size_t shortest = 0;
  for (faulty_disk *disk = disks; disk; disk = disk->next) {
    const char *place = place_on(disk, path);
    if (place && (!found || strlen(place) < shortest)) {
      found = disk;
      shortest = strlen(place);
    }
  }
  return found;
}

faulty_disk *faulty_retained_disk(const char *path) {
  if (mounted == 0) return NULL;
  pthread_mutex_lock(&disks_lock);
  faulty_disk *disk = find_disk(path);
  if (disk) disk->references++;
  pthread_mutex_unlock(&disks_lock);
  return disk;
}

void faulty_forget_changes(faulty_known_file *known) {
  for (size_t i = 0; i < known->count; i++) free(known->changes[i].bytes);
  free(known->changes);
  known->changes = NULL;
  known->count = known->capacity = 0;
}

void faulty_release_disk(faulty_disk *disk) {
  pthread_mutex_lock(&disks_lock);
  int is_last = --disk->references == 0;
  pthread_mutex_unlock(&disks_lock);
  if (!is_last) return;
  while (disk->files) {
    faulty_known_file *known = disk->files;
    disk->files = known->next;
    faulty_forget_changes(known);
    free(known->path);
    free(known);
  }
  pthread_mutex_destroy(&disk->lock);
  free(disk->folder);
  free(disk->resolved);
  free(disk);
}

faulty_known_file *faulty_file_known_as(faulty_disk *disk, const char *path, int may_add) {
  for (faulty_known_file *known = disk->files; known; known = known->next) {
    if (strcmp(known->path, path) == 0) return known;
  }
  faulty_known_file *known = may_add ? calloc(1, sizeof *known) : NULL;
  if (!known) return NULL;
  known->path = strdup(path);
  if (!known->path) {
    free(known);
    return NULL;
  }
  known->next = disk->files;
  disk->files = known;
  return known;
}

// MARK: Counting and stopping

_Thread_local int faulty_depth;

void faulty_enter(faulty_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  faulty_depth++;
}

void faulty_leave(faulty_disk *disk) {
  faulty_depth--;
  pthread_mutex_unlock(&disk->lock);
}

faulty_verdict faulty_judge(faulty_disk *disk, int needs_room) {
  if (disk->stopped) return faulty_is_refused;
  disk->writes++;
  if (disk->fill_in > 0 && --disk->fill_in == 0) disk->full_for = disk->fill_count;
  if (disk->stop_in > 0 && --disk->stop_in == 0) {
    disk->stopped = 1;
    return faulty_is_torn;
  }
  if (disk->break_in > 0 && --disk->break_in == 0) return faulty_is_refused;
  if (needs_room && disk->full_for > 0) {
    disk->full_for--;
    return faulty_finds_no_room;
  }
  return faulty_passes;
}

int faulty_takes_place(const faulty_disk *disk, faulty_verdict verdict) {
  return verdict == faulty_passes
    || (verdict == faulty_is_torn && faulty_torn_part(disk->stop_seed, 1) == 1);
}

// MARK: What the header declares

faulty_disk *faulty_disk_mount(const char *folder) {
  faulty_disk *disk = calloc(1, sizeof *disk);
  if (!disk) return NULL;
  disk->folder = strdup(folder);
  if (!disk->folder || pthread_mutex_init(&disk->lock, NULL) != 0) {
    free(disk->folder);
    free(disk);
    return NULL;
  }
  for (size_t end = strlen(folder); end > 0 && folder[end - 1] == '/'; end--) {
    disk->folder[end - 1] = 0;
  }
  disk->resolved = realpath(folder, NULL);
  disk->references = 1;
  pthread_mutex_lock(&disks_lock);
  disk->next = disks;
  disks = disk;
  mounted++;
  pthread_mutex_unlock(&disks_lock);
  return disk;
}

void faulty_disk_unmount(faulty_disk *disk) {
  if (!disk) return;
  pthread_mutex_lock(&disks_lock);
  faulty_disk **link = &disks;
  while (*link != disk) link = &(*link)->next;
  *link = disk->next;
  mounted--;
  pthread_mutex_unlock(&disks_lock);
  faulty_enter(disk);
  disk->stopped = 1;
  faulty_leave(disk);
  faulty_release_disk(disk);
}

void faulty_disk_stop_after(faulty_disk *disk, uint64_t writes, uint64_t seed) {
  faulty_enter(disk);
  disk->stop_in = writes;
  disk->stop_seed = seed;
  faulty_leave(disk);
}

void faulty_disk_fill_after(faulty_disk *disk, uint64_t writes, uint64_t count) {
  faulty_enter(disk);
  disk->fill_in = writes;
  disk->fill_count = count;
  disk->full_for = 0;
  faulty_leave(disk);
}

static uint64_t locked(const faulty_disk *disk, const uint64_t *value) {
  // The mutex is no part of the state that `const` promises to keep.
  faulty_enter((faulty_disk *)disk);
  uint64_t result = value ? *value : (uint64_t)disk->stopped;
  faulty_leave((faulty_disk *)disk);
  return result;
}

int faulty_disk_has_stopped(const faulty_disk *disk) { return (int)locked(disk, NULL); }

uint64_t faulty_disk_writes(const faulty_disk *disk) { return locked(disk, &disk->writes); }

uint64_t faulty_disk_open_files(const faulty_disk *disk) { return locked(disk, &disk->open_files); }

void faulty_disk_break_at(faulty_disk *disk, uint64_t write) {
  faulty_enter(disk);
  disk->break_in = write;
  faulty_leave(disk);
}

// MARK: Reviving

static void insist(int is_done, const char *path) {
  if (is_done) return;
  perror(path);
  abort();
}

static void put(int file, const unsigned char *bytes, size_t count, off_t offset, const char *path) {
  while (count > 0) {
    ssize_t done = pwrite(file, bytes, count, offset);
    insist(done > 0, path);
    bytes += done;
    count -= (size_t)done;
    offset += done;
  }
}

static void lose_power(faulty_known_file *known, uint64_t seed) {
  struct stat now;
  int file = known->count > 0 ? open(known->path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  insist(fstat(file, &now) == 0, known->path);
  if (now.st_dev == known->device && now.st_ino == known->inode) {
    for (size_t i = known->count; i-- > 0;) {
      const faulty_change *one = &known->changes[i];
      put(file, one->bytes, one->old_count, one->offset, known->path);
      insist(ftruncate(file, one->old_size) == 0, known->path);
    }
    // How much survives is drawn first, by file: with even odds alone, hardly ever none or all would.
    uint64_t quarters = next_random(&seed) % 5;
    for (size_t i = 0; i < known->count; i++) {
      const faulty_change *one = &known->changes[i];
      if ((next_random(&seed) & 3) >= quarters) continue;
      if (one->is_truncation) {
        insist(ftruncate(file, one->offset) == 0, known->path);
      } else {
        put(file, one->bytes + one->old_count, one->new_count, one->offset, known->path);
      }
    }
  }
  insist(close(file) == 0, known->path);
}

void faulty_disk_revive(faulty_disk *disk, int power_was_lost, uint64_t seed) {
  faulty_enter(disk);
  for (faulty_known_file *known = disk->files; known; known = known->next) {
    // FNV-1a of the place on the disk: neither the order of opening nor a temporary folder's name counts.
    uint64_t own_seed = 0xcbf29ce484222325u;
    for (const char *place = place_on(disk, known->path); *place; place++) {
      own_seed = (own_seed ^ (unsigned char)*place) * 0x100000001b3u;
    }
    if (power_was_lost) lose_power(known, own_seed ^ seed);
    faulty_forget_changes(known);
    if (!known->is_database) continue;
    char *shm = malloc(strlen(known->path) + sizeof "-shm");
    insist(shm != NULL, known->path);
    strcat(strcpy(shm, known->path), "-shm");
    unlink(shm);
    free(shm);
  }
  disk->writes = disk->stop_in = disk->fill_in = disk->full_for = disk->break_in = 0;
  disk->stopped = 0;
  disk->life++;
  faulty_leave(disk);
}
