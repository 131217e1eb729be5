#ifndef CGNUTLS_SHIM_H
#define CGNUTLS_SHIM_H

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>

// gnutls_free is a mutable variable with a function, which Swift 6 does not let other code use.
static inline void cgnutls_free(void *memory) { (gnutls_free)(memory); }

#endif
