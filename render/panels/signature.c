/// Hashes what a panel shows, so that a panel whose hash is unchanged keeps its picture. FNV-1a (Fowler, Noll
/// and Vo, 1991): quick for a few hundred bytes; a collision costs a stale panel until its next change.
#include "render/panels/signature.h"

#include <math.h>
#include <string.h>

uint64_t signature_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t k = 0; k < size; k++) {
        hash = (hash ^ bytes[k]) * 1099511628211ULL;
    }
    return hash;
}

uint64_t signature_text(uint64_t hash, const char *text)
{
    return text == NULL ? signature_bytes(hash, "\1", 1) : signature_bytes(hash, text, strlen(text) + 1);
}

uint64_t signature_value(uint64_t hash, double value, double step)
{
    int64_t rounded = isfinite(value) ? (int64_t)fmin(fmax(round(value / step), -1e15), 1e15) : INT64_MIN;
    return signature_bytes(hash, &rounded, sizeof(rounded));
}
