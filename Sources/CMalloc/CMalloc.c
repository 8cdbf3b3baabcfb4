#define _GNU_SOURCE
#include "CMalloc.h"

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void standpoint_limit_arenas(int most) { (void)mallopt(M_ARENA_MAX, most); }

void standpoint_map_blocks(int bytes) { (void)mallopt(M_MMAP_THRESHOLD, bytes); }

void standpoint_release_free_memory(void) { (void)malloc_trim(0); }

// The first object that is told is the program itself; libraries are shared with others anyway.
static int let_go_of_code(struct dl_phdr_info *object, size_t size, void *unused) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  (void)size;
  (void)unused;
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[index];
    // Only what nobody can have written to: its pages are those of the file, and come back from there.
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || (part->p_flags & PF_W)) continue;
    uintptr_t from = (object->dlpi_addr + part->p_vaddr) & ~(page - 1);
    uintptr_t to = (object->dlpi_addr + part->p_vaddr + part->p_filesz) & ~(page - 1);
    if (to > from) (void)madvise((void *)from, to - from, MADV_DONTNEED);
  }
  return 1;
}

void standpoint_release_code(void) { dl_iterate_phdr(let_go_of_code, NULL); }
