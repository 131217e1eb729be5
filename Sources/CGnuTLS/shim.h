#ifndef CGNUTLS_SHIM_H
#define CGNUTLS_SHIM_H

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>

// Swift does not import the macro `gnutls_free`, behind which is a pointer to a function.
static inline void cgnutls_free(void *memory) { (gnutls_free)(memory); }

#endif
