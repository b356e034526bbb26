/// Rain as streaks around the eye.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_RAIN_H
#define SPADEWORK_RENDER_RAIN_H

#include "render/gpu.h"

/// Zero-initialise; owned by the caller, freed by rain_destroy.
typedef struct Rain {
    GLuint program, array;
    GLint seconds, nearest;
    bool plain; ///< at low quality: a quarter of the drops
} Rain;

/// Compiles the program. False with `status` set when it does not compile.
bool rain_create(Rain *rain, bool plain, const GlShaders *shaders, Status *status);
void rain_destroy(Rain *rain);

/// Draws the drops as they are at a time; nothing when it does not rain.
/// share    0..1 of the heaviest rain (DaylightUniforms.rain)
/// seconds  s, of the scene: the same time shows the same drops
/// nearest  m from the eye: what is nearer is under a roof
void rain_draw(const Rain *rain, double share, double seconds, double nearest);

#endif
