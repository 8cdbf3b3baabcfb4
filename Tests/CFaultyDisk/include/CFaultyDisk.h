/// Disks that stop in the middle of a write, for simulations of crashes within one process.
///
/// An SQLite VFS that wraps the default one, and the C library's functions that modify files: `write`,
/// `fsync`, `rename`, `link`, `unlink`, `ftruncate` and `open`. A program that links this library calls
/// these in place of the C library's own, so no hook stands in the code under test. Files below a mounted
/// folder lie on a `faulty_disk`, which counts what modifies them and can stop there, fill up, or lose
/// what was not synced. All other files are handed on untouched.
///
/// How a crash goes:
/// 1. `faulty_disk_stop_after`, then work until SQLite reports SQLITE_IOERR (an extended code of it).
/// 2. Close every connection below the folder. That always succeeds, and changes nothing any more.
/// 3. `faulty_disk_revive`; then open again, as the next process would.
///
/// What is modelled, and what is not:
/// - A write tears at any byte, but never touches bytes beside its range. That is what
///   SQLITE_IOCAP_POWERSAFE_OVERWRITE promises, as SQLite's unix VFS does by default; it is passed on.
/// - Creating and deleting a file lasts at once, also without a sync of the directory.
/// - The -shm file is memory shared among connections: it is neither counted nor torn.
/// - Nothing really is fsynced below a mounted folder: a sync is counted and decides what a power loss
///   spares, without the milliseconds that a real one costs.
/// - Files are never memory-mapped below a mounted folder: `PRAGMA mmap_size` answers 0 there.
///
/// Every function may be called from every thread. The same calls in the same order with the same seeds
/// give the same outcome.
#ifndef CFAULTYDISK_H
#define CFAULTYDISK_H

#include <stdint.h>

/// A disk on which all files below one folder lie.
typedef struct faulty_disk faulty_disk;

/// Registers the VFS as SQLite's default, for connections opened from now on. Calls after the first do
/// nothing. It initialises SQLite, so `sqlite3_config` has to come before.
/// - Returns: 0, or SQLite's error code.
int faulty_disk_install(void);

/// Mounts a disk on `folder`, an absolute path, with or without a slash at its end. Files whose absolute
/// path begins with the folder and a slash belong to it, with the folder written as here or with its
/// symbolic links resolved (as they are at this call). Of nested folders the innermost counts. Files
/// that are open already stay with the wrapped VFS.
/// - Returns: the disk, to be given to `faulty_disk_unmount`; NULL when out of memory.
faulty_disk *faulty_disk_mount(const char *folder);

/// Removes the disk and frees it; its files stay as they are. No connection below the folder may be open
/// any more: what is open nevertheless is refused everything but closing. NULL is allowed.
void faulty_disk_unmount(faulty_disk *disk);

/// Plans the stop. The modification with the number `writes` from now on (1 is the next, 0 is never) is
/// torn: of a write some first bytes get through, from none to all; a truncation, sync or deletion takes
/// place or does not; `seed` decides. It is reported as failed in every case. From then on all that
/// opens, reads, changes or locks fails with SQLITE_IOERR or an extended code of it, until revived.
/// Replaces an earlier plan. A disk that has stopped stays stopped.
void faulty_disk_stop_after(faulty_disk *disk, uint64_t writes, uint64_t seed);

/// Plans a full disk. Counting from the modification with the number `writes` from now on (1 is the next,
/// 0 is never), the first `count` writes of bytes fail with SQLITE_FULL and write nothing, overwriting
/// included; then there is room again. Truncations, syncs and deletions need no room: they succeed in
/// between, and are not among the `count`. Replaces an earlier plan, and ends a shortage that lasts.
void faulty_disk_fill_after(faulty_disk *disk, uint64_t writes, uint64_t count);

/// - Returns: 1 when the disk has stopped and was not revived since, otherwise 0.
int faulty_disk_has_stopped(const faulty_disk *disk);

/// The number of modifications since mounting or reviving: xWrite, xTruncate, xSync and xDelete of
/// SQLite's files; `write`, `fsync`, `rename`, `link` and `unlink` of all others; with those that failed as
/// torn or full, without those refused after the stop.
uint64_t faulty_disk_writes(const faulty_disk *disk);

/// The number of SQLite's files on the disk that are open now. It has to be 0 before `faulty_disk_revive`.
uint64_t faulty_disk_open_files(const faulty_disk *disk);

/// Plans one failure: the modification with the number `write` from now on (1 is the next, 0 is never)
/// fails with EIO and changes nothing; all others succeed. Replaces an earlier plan.
void faulty_disk_break_at(faulty_disk *disk, uint64_t write);

/// Makes the disk writable again, as it is found by the next process; also when it had not stopped.
/// All connections must be closed: what is open nevertheless is refused everything but closing. Clears
/// the count of writes and all plans, and removes the -shm files of the databases that were opened.
/// With `power_was_lost` not 0, of the writes and truncations of SQLite's files since the last sync of
/// each file only some survive, each on its own, as `seed` decides: a later one may survive an earlier,
/// and none or all may. Files that are not SQLite's are not touched.
/// Prints to stderr and aborts if the real file system fails meanwhile: a simulation would go on wrongly.
void faulty_disk_revive(faulty_disk *disk, int power_was_lost, uint64_t seed);

#endif
