#ifndef STANDPOINT_CMALLOC_H
#define STANDPOINT_CMALLOC_H

// Nothing of the system's is included: other C modules include the same headers by other rules.

// From how many places memory is taken; to be called before other threads begin.
void standpoint_limit_arenas(int most);

// Blocks of this size and more are memory of their own, which goes back to the system at once.
void standpoint_map_blocks(int bytes);

// Gives back to the system what is free.
void standpoint_release_free_memory(void);

// Takes the program's own code out of its memory; what is run next comes back by itself.
void standpoint_release_code(void);

#endif
