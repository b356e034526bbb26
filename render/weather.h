/// Rain and dust in the air: streaks around the eye, and puffs that grow, drift and thin out.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_WEATHER_H
#define SPADEWORK_RENDER_WEATHER_H

#include "render/gpu.h"
#include "render/render.h"

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
