#define CRYPTOKI_GNU 1
#include <p11-kit-1/p11-kit/pkcs11.h>
#include <sys/prctl.h>
/* glibc declares it for GNU sources alone. */
extern int pipe2(int *ends, int flags);
/* The process cannot be traced, and no kernel writes its memory, not even to a program. */
static inline int hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
