/// Hashing of what a panel shows. Each function adds to `hash` and returns it; begin with SIGNATURE_START. Pure.
#ifndef SPADEWORK_RENDER_SIGNATURE_H
#define SPADEWORK_RENDER_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

#define SIGNATURE_START 14695981039346656037ULL ///< FNV-1a's offset for 64 bits

uint64_t signature_bytes(uint64_t hash, const void *data, size_t size);
/// A text; NULL differs from every text.
uint64_t signature_text(uint64_t hash, const char *text);
/// A value rounded to `step` > 0: choose the least difference that can be seen.
uint64_t signature_value(uint64_t hash, double value, double step);

#endif
