// The worker that compares pictures reads bytes of strangers. Before the first of them it gives up
// all that it does not need, so that a picture that takes it over gains nothing.

#include "CMatching.h"

#include <errno.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

// The calls with which a process computes, talks over the pipes it has, and ends.
static const int allowed[] = {
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(close),
    SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(lseek), SCMP_SYS(fstat), SCMP_SYS(newfstatat),
    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(brk),
    SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(getcpu),
    SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep), SCMP_SYS(restart_syscall), SCMP_SYS(getrandom), SCMP_SYS(getpid),
    SCMP_SYS(gettid), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(rseq), SCMP_SYS(set_robust_list),
    SCMP_SYS(exit), SCMP_SYS(exit_group),
};

// The calls that get memory: never memory from which code runs.
static const int allowed_without_code[] = {SCMP_SYS(mmap), SCMP_SYS(mprotect)};

static int limit(int resource, rlim_t most) {
  const struct rlimit both = {most, most};
  return setrlimit(resource, &both) == 0;
}

int32_t matching_confine(uint64_t memory_bytes) {
  // A worker whose owner was killed has nobody to answer.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0) return 0;
  if (!limit(RLIMIT_CORE, 0) || !limit(RLIMIT_AS, memory_bytes)) return 0;
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (filter == NULL) return 0;
  // Swift's runtime has a thread of its own: a filter on this one alone would leave a door open.
  int32_t done = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0;
  // `abort` signals its own process, and no other one may be signalled.
  done &= seccomp_rule_add(
              filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
              SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())) == 0;
  for (size_t index = 0; index < sizeof allowed / sizeof allowed[0]; index++) {
    done &= seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[index], 0) == 0;
  }
  for (size_t index = 0; index < sizeof allowed_without_code / sizeof *allowed_without_code;
       index++) {
    done &= seccomp_rule_add(
                filter, SCMP_ACT_ALLOW, allowed_without_code[index], 1,
                SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) == 0;
  }
  done &= seccomp_load(filter) == 0;
  seccomp_release(filter);
  return done;
}
