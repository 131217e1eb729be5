// The Swift compiler takes 20 seconds for an array of so many bytes.

#include "COpenAPI.h"

#pragma clang diagnostic ignored "-Wc23-extensions"
static const uint8_t contract[] = {
#embed "openapi.yaml"
};

const uint8_t *copenapi_bytes(void) { return contract; }
size_t copenapi_size(void) { return sizeof contract; }
