#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "faulty_disk_internal.h"

typedef struct {
  sqlite3_file base;
  sqlite3_io_methods methods;  // one's own copy: which of them exist depends on the real file
  sqlite3_file *real;
  faulty_disk *disk;
  faulty_known_file *known;
  uint64_t life;
} faulty_file;

// The real file follows in the same allocation.
#define OWN_SIZE ((sizeof(faulty_file) + 15) & ~(size_t)15)

static pthread_mutex_t install_lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs own_vfs;
static int installed;

static int is_dead(const faulty_file *file) {
  return file->disk->stopped || file->life != file->disk->life;
}

static faulty_verdict judge_file(const faulty_file *file, int needs_room) {
  return is_dead(file) ? faulty_is_refused : faulty_judge(file->disk, needs_room);
}

// Remembers what a modification of `new_count` bytes at `offset` replaces (a truncation: all behind).
static int remember(
  faulty_file *file, int is_truncation, sqlite3_int64 offset, const void *bytes, size_t new_count
) {
  faulty_known_file *known = file->known;
  faulty_change one = {.is_truncation = is_truncation, .offset = offset, .new_count = new_count};
  int result = file->real->pMethods->xFileSize(file->real, &one.old_size);
  if (result != SQLITE_OK) return result;
  if (offset < one.old_size) {
    one.old_count = (size_t)(one.old_size - offset);
    if (!is_truncation && one.old_count > new_count) one.old_count = new_count;
  }
  if (known->count == known->capacity) {
    size_t capacity = known->capacity * 2 + 16;
    faulty_change *changes = realloc(known->changes, capacity * sizeof *changes);
    if (!changes) return SQLITE_IOERR_NOMEM;
    known->changes = changes;
    known->capacity = capacity;
  }
  one.bytes = malloc(one.old_count + new_count + 1);
  if (!one.bytes) return SQLITE_IOERR_NOMEM;
  // xRead takes an int, which a truncated file may exceed.
  for (size_t done = 0; done < one.old_count && result == SQLITE_OK;) {
    size_t left = one.old_count - done;
    int part = left > 1 << 20 ? 1 << 20 : (int)left;
    result = file->real->pMethods->xRead(
      file->real, one.bytes + done, part, offset + (sqlite3_int64)done);
    done += (size_t)part;
  }
  if (result != SQLITE_OK) {
    free(one.bytes);
    return result;
  }
  if (new_count > 0) memcpy(one.bytes + one.old_count, bytes, new_count);
  known->changes[known->count++] = one;
  return SQLITE_OK;
}

// MARK: File methods

static int file_close(sqlite3_file *base) {
  faulty_file *file = (faulty_file *)base;
  faulty_disk *disk = file->disk;
  faulty_enter(disk);
  int result = file->real->pMethods->xClose(file->real);
  disk->open_files--;
  faulty_leave(disk);
  faulty_release_disk(disk);
  return result;
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  faulty_file *file = (faulty_file *)base;
  int result = SQLITE_IOERR_WRITE;
  faulty_enter(file->disk);
  faulty_verdict verdict = judge_file(file, 1);
  int part = verdict == faulty_passes ? count : 0;
  if (verdict == faulty_is_torn) part = (int)faulty_torn_part(file->disk->stop_seed, (uint64_t)count);
  if (part > 0) {
    result = remember(file, 0, offset, bytes, (size_t)part);
    if (result == SQLITE_OK) result = file->real->pMethods->xWrite(file->real, bytes, part, offset);
  }
  faulty_leave(file->disk);
  if (verdict == faulty_finds_no_room) return SQLITE_FULL;
  return verdict == faulty_passes ? result : SQLITE_IOERR_WRITE;
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
  faulty_file *file = (faulty_file *)base;
  int result = SQLITE_IOERR_TRUNCATE;
  faulty_enter(file->disk);
  faulty_verdict verdict = judge_file(file, 0);
  if (faulty_takes_place(file->disk, verdict)) {
    result = remember(file, 1, size, NULL, 0);
    if (result == SQLITE_OK) result = file->real->pMethods->xTruncate(file->real, size);
  }
  faulty_leave(file->disk);
  return verdict == faulty_passes ? result : SQLITE_IOERR_TRUNCATE;
}

// No real fsync: the list is what the simulated disk still holds in its cache.
static int file_sync(sqlite3_file *base, int flags) {
  (void)flags;
  faulty_file *file = (faulty_file *)base;
  faulty_enter(file->disk);
  faulty_verdict verdict = judge_file(file, 0);
  if (faulty_takes_place(file->disk, verdict)) faulty_forget_changes(file->known);
  faulty_leave(file->disk);
  return verdict == faulty_passes ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}

// A dead process reads and locks nothing either. That SQLite cannot lock also keeps it from trying a
// checkpoint on closing, and from answering out of its cache.
#define UNLESS_DEAD(ERROR, CALL)             \
  faulty_file *file = (faulty_file *)base;   \
  faulty_enter(file->disk);                  \
  int result = is_dead(file) ? ERROR : CALL; \
  faulty_leave(file->disk);                  \
  return result

static int file_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
  UNLESS_DEAD(SQLITE_IOERR_READ, file->real->pMethods->xRead(file->real, bytes, count, offset));
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
  UNLESS_DEAD(SQLITE_IOERR_FSTAT, file->real->pMethods->xFileSize(file->real, size));
}

static int file_lock(sqlite3_file *base, int level) {
  UNLESS_DEAD(SQLITE_IOERR_LOCK, file->real->pMethods->xLock(file->real, level));
}

static int file_check_reserved_lock(sqlite3_file *base, int *is_held) {
  UNLESS_DEAD(
    SQLITE_IOERR_CHECKRESERVEDLOCK, file->real->pMethods->xCheckReservedLock(file->real, is_held));
}

static int file_shm_map(
  sqlite3_file *base, int region, int size, int may_extend, void volatile **memory
) {
  UNLESS_DEAD(
    SQLITE_IOERR_SHMMAP,
    file->real->pMethods->xShmMap(file->real, region, size, may_extend, memory));
}

static int file_unlock(sqlite3_file *base, int level) {
  sqlite3_file *real = ((faulty_file *)base)->real;
  return real->pMethods->xUnlock(real, level);
}

// What is locked already can be unlocked also by the dead.
static int file_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
  faulty_file *file = (faulty_file *)base;
  int result = SQLITE_IOERR_SHMLOCK;
  faulty_enter(file->disk);
  if (flags & SQLITE_SHM_UNLOCK || !is_dead(file)) {
    result = file->real->pMethods->xShmLock(file->real, offset, count, flags);
  }
  faulty_leave(file->disk);
  return result;
}

static void file_shm_barrier(sqlite3_file *base) {
  sqlite3_file *real = ((faulty_file *)base)->real;
  real->pMethods->xShmBarrier(real);
}

static int file_shm_unmap(sqlite3_file *base, int is_to_delete) {
  faulty_file *file = (faulty_file *)base;
  faulty_enter(file->disk);
  int result = file->real->pMethods->xShmUnmap(file->real, is_to_delete && !is_dead(file));
  faulty_leave(file->disk);
  return result;
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
  sqlite3_file *real = ((faulty_file *)base)->real;
  switch (operation) {
    // Mapped pages would change behind the counter's back, and so would a file that is grown ahead.
    case SQLITE_FCNTL_MMAP_SIZE: *(sqlite3_int64 *)argument = 0; return SQLITE_OK;
    case SQLITE_FCNTL_SIZE_HINT:
    case SQLITE_FCNTL_CHUNK_SIZE: return SQLITE_OK;
    default: return real->pMethods->xFileControl(real, operation, argument);
  }
}

static int file_sector_size(sqlite3_file *base) {
  sqlite3_file *real = ((faulty_file *)base)->real;
  return real->pMethods->xSectorSize(real);
}

// Writes here are not atomic, and neither they nor a file's growth come in order. Bytes beside a write
// are safe, however, so that SQLITE_IOCAP_POWERSAFE_OVERWRITE may stay, as it is on the real disk.
static int file_characteristics(sqlite3_file *base) {
  sqlite3_file *real = ((faulty_file *)base)->real;
  return real->pMethods->xDeviceCharacteristics(real)
    & (SQLITE_IOCAP_POWERSAFE_OVERWRITE | SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN | SQLITE_IOCAP_IMMUTABLE);
}

static int file_fetch(sqlite3_file *base, sqlite3_int64 offset, int count, void **memory) {
  (void)base, (void)offset, (void)count;
  *memory = NULL;
  return SQLITE_OK;
}

static int file_unfetch(sqlite3_file *base, sqlite3_int64 offset, void *memory) {
  (void)base, (void)offset, (void)memory;
  return SQLITE_OK;
}

static sqlite3_io_methods methods_over(const sqlite3_io_methods *real) {
  int has_shm = real->iVersion >= 2 && real->xShmMap;
  return (sqlite3_io_methods){
    .iVersion = real->iVersion < 3 ? real->iVersion : 3,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_reserved_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    // SQLite asks for the existence of these to see whether WAL is possible.
    .xShmMap = has_shm ? file_shm_map : NULL,
    .xShmLock = has_shm ? file_shm_lock : NULL,
    .xShmBarrier = has_shm ? file_shm_barrier : NULL,
    .xShmUnmap = has_shm ? file_shm_unmap : NULL,
    .xFetch = file_fetch,
    .xUnfetch = file_unfetch,
  };
}

// MARK: VFS methods

static sqlite3_vfs *wrapped(sqlite3_vfs *vfs) { return vfs->pAppData; }

static int vfs_open(
  sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *out_flags
) {
  faulty_disk *disk = path ? faulty_retained_disk(path) : NULL;
  // Elsewhere the real file takes the whole place: nothing is between it and SQLite.
  if (!disk) return wrapped(vfs)->xOpen(wrapped(vfs), path, base, flags, out_flags);
  faulty_file *file = (faulty_file *)base;
  memset(file, 0, OWN_SIZE + (size_t)wrapped(vfs)->szOsFile);
  file->disk = disk;
  file->real = (sqlite3_file *)((char *)base + OWN_SIZE);
  faulty_enter(disk);
  int result = SQLITE_IOERR;
  if (!disk->stopped) {
    file->known = faulty_file_known_as(disk, path, 1);
    result = SQLITE_NOMEM;
  }
  if (file->known) {
    struct stat before, after;
    int existed = stat(path, &before) == 0;
    result = wrapped(vfs)->xOpen(wrapped(vfs), path, file->real, flags, out_flags);
    // What the program removed or replaced by itself is another file than that which was written.
    if (!existed || before.st_dev != file->known->device || before.st_ino != file->known->inode) {
      faulty_forget_changes(file->known);
    }
    if (stat(path, &after) == 0) {
      file->known->device = after.st_dev;
      file->known->inode = after.st_ino;
    }
    if (flags & SQLITE_OPEN_MAIN_DB) file->known->is_database = 1;
  }
  if (result == SQLITE_OK) {
    file->life = disk->life;
    file->methods = methods_over(file->real->pMethods);
    file->base.pMethods = &file->methods;
    disk->open_files++;
  } else if (file->real->pMethods) {
    file->real->pMethods->xClose(file->real);
  }
  faulty_leave(disk);
  if (result != SQLITE_OK) faulty_release_disk(disk);
  return result;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int syncs_directory) {
  faulty_disk *disk = faulty_retained_disk(path);
  if (!disk) return wrapped(vfs)->xDelete(wrapped(vfs), path, syncs_directory);
  int result = SQLITE_IOERR_DELETE;
  faulty_enter(disk);
  faulty_verdict verdict = faulty_judge(disk, 0);
  if (faulty_takes_place(disk, verdict)) {
    result = wrapped(vfs)->xDelete(wrapped(vfs), path, 0);
    faulty_known_file *known = faulty_file_known_as(disk, path, 0);
    if (known && result == SQLITE_OK) faulty_forget_changes(known);
  }
  faulty_leave(disk);
  faulty_release_disk(disk);
  return verdict == faulty_passes ? result : SQLITE_IOERR_DELETE;
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *answer) {
  faulty_disk *disk = faulty_retained_disk(path);
  int has_stopped = 0;
  if (disk) {
    faulty_enter(disk);
    has_stopped = disk->stopped;
    faulty_leave(disk);
    faulty_release_disk(disk);
  }
  return has_stopped ? SQLITE_IOERR_ACCESS : wrapped(vfs)->xAccess(wrapped(vfs), path, flags, answer);
}

static int vfs_full_pathname(sqlite3_vfs *vfs, const char *path, int size, char *full) {
  return wrapped(vfs)->xFullPathname(wrapped(vfs), path, size, full);
}

static void *vfs_dl_open(sqlite3_vfs *vfs, const char *path) {
  return wrapped(vfs)->xDlOpen(wrapped(vfs), path);
}

static void vfs_dl_error(sqlite3_vfs *vfs, int size, char *message) {
  wrapped(vfs)->xDlError(wrapped(vfs), size, message);
}

static void (*vfs_dl_sym(sqlite3_vfs *vfs, void *library, const char *symbol))(void) {
  return wrapped(vfs)->xDlSym(wrapped(vfs), library, symbol);
}

static void vfs_dl_close(sqlite3_vfs *vfs, void *library) {
  wrapped(vfs)->xDlClose(wrapped(vfs), library);
}

static int vfs_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  return wrapped(vfs)->xRandomness(wrapped(vfs), count, bytes);
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  return wrapped(vfs)->xSleep(wrapped(vfs), microseconds);
}

static int vfs_current_time(sqlite3_vfs *vfs, double *days) {
  return wrapped(vfs)->xCurrentTime(wrapped(vfs), days);
}

static int vfs_get_last_error(sqlite3_vfs *vfs, int size, char *message) {
  return wrapped(vfs)->xGetLastError(wrapped(vfs), size, message);
}

static int vfs_current_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
  return wrapped(vfs)->xCurrentTimeInt64(wrapped(vfs), milliseconds);
}

static int vfs_set_system_call(sqlite3_vfs *vfs, const char *name, sqlite3_syscall_ptr call) {
  return wrapped(vfs)->xSetSystemCall(wrapped(vfs), name, call);
}

static sqlite3_syscall_ptr vfs_get_system_call(sqlite3_vfs *vfs, const char *name) {
  return wrapped(vfs)->xGetSystemCall(wrapped(vfs), name);
}

static const char *vfs_next_system_call(sqlite3_vfs *vfs, const char *name) {
  return wrapped(vfs)->xNextSystemCall(wrapped(vfs), name);
}

// MARK: Registration

int faulty_disk_install(void) {
  pthread_mutex_lock(&install_lock);
  int result = SQLITE_OK;
  sqlite3_vfs *real = installed ? NULL : sqlite3_vfs_find(NULL);
  if (real) {
    own_vfs = (sqlite3_vfs){
      .iVersion = real->iVersion < 3 ? real->iVersion : 3,
      .szOsFile = (int)OWN_SIZE + real->szOsFile,
      .mxPathname = real->mxPathname,
      .zName = "faulty-disk",
      .pAppData = real,
      .xOpen = vfs_open,
      .xDelete = vfs_delete,
      .xAccess = vfs_access,
      .xFullPathname = vfs_full_pathname,
      .xDlOpen = real->xDlOpen ? vfs_dl_open : NULL,
      .xDlError = real->xDlError ? vfs_dl_error : NULL,
      .xDlSym = real->xDlSym ? vfs_dl_sym : NULL,
      .xDlClose = real->xDlClose ? vfs_dl_close : NULL,
      .xRandomness = vfs_randomness,
      .xSleep = vfs_sleep,
      .xCurrentTime = vfs_current_time,
      .xGetLastError = real->xGetLastError ? vfs_get_last_error : NULL,
    };
    if (real->iVersion >= 2 && real->xCurrentTimeInt64) {
      own_vfs.xCurrentTimeInt64 = vfs_current_time_int64;
    }
    if (real->iVersion >= 3 && real->xSetSystemCall) {
      own_vfs.xSetSystemCall = vfs_set_system_call;
      own_vfs.xGetSystemCall = vfs_get_system_call;
      own_vfs.xNextSystemCall = vfs_next_system_call;
    }
    result = sqlite3_vfs_register(&own_vfs, 1);
    installed = result == SQLITE_OK;
  } else if (!installed) {
    result = SQLITE_ERROR;
  }
  pthread_mutex_unlock(&install_lock);
  return result;
}
