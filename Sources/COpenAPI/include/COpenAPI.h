#ifndef COPENAPI_H
#define COPENAPI_H

#include <stddef.h>
#include <stdint.h>

// The contract, openapi.yaml.
const uint8_t *_Nonnull copenapi_bytes(void);
size_t copenapi_size(void);

#endif
