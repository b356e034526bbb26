/// Dust in the air: puffs that grow, drift and thin out, drawn as soft discs in one call.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_DUST_H
#define SPADEWORK_RENDER_DUST_H

#include "render/gpu.h"
#include "render/render.h"

/// Zero-initialise; owned by the caller, freed by dust_destroy.
typedef struct Dust {
    GLuint program, array, instances;
    GLint soil_color, seconds;
} Dust;

/// False with `status` set when the shader does not compile; then call dust_destroy.
bool dust_create(Dust *dust, const GlShaders *shaders, Status *status);
void dust_destroy(Dust *dust);

/// Sends the view's puffs.
void dust_update(const Dust *dust, const RenderView *view);
/// Draws them; call it after everything opaque and the sky.
void dust_draw(const Dust *dust, const RenderView *view);

#endif
