// Shared by the files of this library: faulty_disk.c has the disks and their counting, faulty_vfs.c what
// SQLite does, faulty_libc.c what all other code does.
#ifndef FAULTY_DISK_INTERNAL_H
#define FAULTY_DISK_INTERNAL_H

#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>
#include <sys/types.h>

#include "CFaultyDisk.h"

// One write or truncation that no sync has made lasting. Old and new bytes are both kept: a power loss
// goes back to the synced state first, then repeats what survives, in order. Undoing single writes in
// place would also destroy later ones that overlap or lie behind them in the file.
typedef struct {
  int is_truncation;
  sqlite3_int64 offset;  // of a truncation: the new size
  sqlite3_int64 old_size;
  size_t old_count, new_count;
  unsigned char *bytes;  // first the old ones, then the new ones
} faulty_change;

// What is known of a path, for all connections together. Lives until the disk is unmounted.
typedef struct faulty_known_file {
  struct faulty_known_file *next;
  char *path;
  int is_database;
  dev_t device;
  ino_t inode;
  faulty_change *changes;
  size_t count, capacity;
} faulty_known_file;

struct faulty_disk {
  faulty_disk *next;     // `references` and `next` are guarded by `disks_lock`, all else by `lock`
  uint64_t references;   // the mount, every open file, every call that is under way
  char *folder;          // without a slash at the end
  char *resolved;        // the same without symbolic links; NULL if the folder does not exist
  pthread_mutex_t lock;
  faulty_known_file *files;
  uint64_t open_files;
  uint64_t life;         // counts revivals: a file opened in an earlier life stays dead
  uint64_t writes;
  uint64_t stop_in, stop_seed;
  uint64_t fill_in, fill_count, full_for;
  uint64_t break_in;
  int stopped;
};

// What becomes of a modification.
typedef enum { faulty_passes, faulty_is_torn, faulty_finds_no_room, faulty_is_refused } faulty_verdict;

// Takes and gives back the disk's lock. A thread that holds a lock reaches the real file system below it:
// `faulty_depth` counts its locks.
extern _Thread_local int faulty_depth;
void faulty_enter(faulty_disk *disk);
void faulty_leave(faulty_disk *disk);

// The disk on which the path lies, kept alive until it is released; NULL for none.
faulty_disk *faulty_retained_disk(const char *path);
void faulty_release_disk(faulty_disk *disk);

// All that follows: with the disk's lock held.

// NULL when unknown and not to be added, or when out of memory.
faulty_known_file *faulty_file_known_as(faulty_disk *disk, const char *path, int may_add);
void faulty_forget_changes(faulty_known_file *known);

// Counts a modification that is about to happen, and says what becomes of it.
faulty_verdict faulty_judge(faulty_disk *disk, int needs_room);

// For modifications that happen or do not: whether this one does.
int faulty_takes_place(const faulty_disk *disk, faulty_verdict verdict);

// From 0 to `bytes`; the ends are as likely as all between, for they are where mistakes hide.
uint64_t faulty_torn_part(uint64_t seed, uint64_t bytes);

#endif
