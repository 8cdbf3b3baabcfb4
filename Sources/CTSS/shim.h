#include <dlfcn.h>
#include <stddef.h>
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_tctildr.h>
/* The functions of the TPM software stack that we call. Its libraries are loaded while the worker runs: a
   machine without a TPM needs none of them. */
struct tss_functions {
  __typeof__(&Tss2_TctiLdr_Initialize) connect;
  __typeof__(&Tss2_TctiLdr_Finalize) disconnect;
  __typeof__(&Tss2_MU_TPM2B_PUBLIC_Marshal) write_public;
  __typeof__(&Tss2_MU_TPM2B_PUBLIC_Unmarshal) read_public;
  __typeof__(&Esys_Initialize) begin;
  __typeof__(&Esys_Finalize) end;
  __typeof__(&Esys_Free) free;
  __typeof__(&Esys_GetCapability) capability;
  __typeof__(&Esys_TR_FromTPMPublic) find;
  __typeof__(&Esys_CreatePrimary) create_primary;
  __typeof__(&Esys_Create) create;
  __typeof__(&Esys_Load) load;
  __typeof__(&Esys_Sign) sign;
  __typeof__(&Esys_StartAuthSession) start_session;
  __typeof__(&Esys_PolicySecret) policy_secret;
  __typeof__(&Esys_ActivateCredential) activate;
  __typeof__(&Esys_NV_ReadPublic) nv_describe;
  __typeof__(&Esys_NV_Read) nv_read;
  __typeof__(&Esys_FlushContext) flush;
};
/* Loads the functions, and returns a null pointer, or the name of a library that is not there. */
static inline const char *tss_load(struct tss_functions *all) {
  const char *names[] = {"libtss2-tctildr.so.0", "libtss2-mu.so.0", "libtss2-esys.so.0"};
  void *libraries[3];
  for (int i = 0; i < 3; i++)
    if (!(libraries[i] = dlopen(names[i], RTLD_NOW | RTLD_LOCAL))) return names[i];
#define TSS_LOAD(member, library, symbol) \
  if (!(all->member = (__typeof__(all->member))dlsym(libraries[library], symbol))) return names[library];
  TSS_LOAD(connect, 0, "Tss2_TctiLdr_Initialize")
  TSS_LOAD(disconnect, 0, "Tss2_TctiLdr_Finalize")
  TSS_LOAD(write_public, 1, "Tss2_MU_TPM2B_PUBLIC_Marshal")
  TSS_LOAD(read_public, 1, "Tss2_MU_TPM2B_PUBLIC_Unmarshal")
  TSS_LOAD(begin, 2, "Esys_Initialize")
  TSS_LOAD(end, 2, "Esys_Finalize")
  TSS_LOAD(free, 2, "Esys_Free")
  TSS_LOAD(capability, 2, "Esys_GetCapability")
  TSS_LOAD(find, 2, "Esys_TR_FromTPMPublic")
  TSS_LOAD(create_primary, 2, "Esys_CreatePrimary")
  TSS_LOAD(create, 2, "Esys_Create")
  TSS_LOAD(load, 2, "Esys_Load")
  TSS_LOAD(sign, 2, "Esys_Sign")
  TSS_LOAD(start_session, 2, "Esys_StartAuthSession")
  TSS_LOAD(policy_secret, 2, "Esys_PolicySecret")
  TSS_LOAD(activate, 2, "Esys_ActivateCredential")
  TSS_LOAD(nv_describe, 2, "Esys_NV_ReadPublic")
  TSS_LOAD(nv_read, 2, "Esys_NV_Read")
  TSS_LOAD(flush, 2, "Esys_FlushContext")
#undef TSS_LOAD
  return NULL;
}
