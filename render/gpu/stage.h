/// A picture in memory that is drawn into: the scene when it is to have fewer pixels than the screen, over which it is
/// then stretched, or a picture that is part of another.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_STAGE_H
#define SPADEWORK_RENDER_STAGE_H

#include "render/gpu/gl.h"

/// Zero-initialise; owned by the caller, freed by stage_destroy.
typedef struct Stage {
    GLuint framebuffer, depth;
    GLuint color; ///< a texture
    int width, height; ///< pixels
} Stage;
void stage_destroy(Stage *stage);

/// Makes it the target of drawing, width x height pixels, made anew when that is another size. False where the driver
/// cannot draw into it: the target stays what it was.
bool stage_begin(Stage *stage, int width, int height);
/// Stretches what was drawn over `width` x `height` pixels of the framebuffer `target`, which becomes the target again.
void stage_end(const Stage *stage, GLuint target, int width, int height);

#endif
