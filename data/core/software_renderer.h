/// Tells OpenGL drivers that draw with the processors from those of graphics cards, by their names.
#ifndef SPADEWORK_DATA_SOFTWARE_RENDERER_H
#define SPADEWORK_DATA_SOFTWARE_RENDERER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/// True for the name of a driver (GL_RENDERER) that draws without a graphics card.
static inline bool is_software_renderer(const char *name)
{
    static const char *const names[] = {"llvmpipe", "softpipe", "swrast", "Software Rasterizer", "SwiftShader"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strstr(name, names[k]) != NULL) {
            return true;
        }
    }
    return false;
}

#endif
