/// A picture in memory that is drawn into: the scene when it is to have fewer pixels than the screen, over which it is
/// then stretched, or a picture that is part of another.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_STAGE_H
#define SPADEWORK_RENDER_STAGE_H

#include "render/gpu.h"

/// Zero-initialise; owned by the caller, freed by stage_destroy.
typedef struct Stage {
    GLuint framebuffer, depth;
    GLuint color; ///< a texture
    GLuint places,
        places_framebuffer; ///< a texture of four floats a pixel, and it with the same depth; 0: not asked for
    int width, height; ///< pixels
} Stage;
void stage_destroy(Stage *stage);

/// Makes it the target of drawing, width x height pixels, made anew when that is another size. False where the driver
/// cannot draw into it: the target stays what it was. Its depth has a stencil.
/// places  a second picture of the same depth is wanted, for stage_begin_places
bool stage_begin(Stage *stage, int width, int height, bool places);
/// What is drawn from now on leaves its places in the second picture.
void stage_begin_places(const Stage *stage);
/// What is drawn from now on leaves a number of 1 or more in the stencil.
void stage_mark_places(int mark);
/// The stage is the target again; places are bound to GL_UNIT_PLACES.
void stage_use_places(const Stage *stage);
/// Only pixels whose stencil holds `mark` are drawn from now on, whatever their depth.
void stage_choose_places(int mark);
/// Everything is drawn as before.
void stage_end_places(void);
/// Stretches what was drawn over `width` x `height` pixels of the framebuffer `target`, which becomes the target again.
void stage_end(const Stage *stage, GLuint target, int width, int height);

#endif
