/// Shadow maps: one depth texture that holds the sun's map of the site, beside it a finer one around the tool and one
/// of the tool in the light of lamps, and the framebuffer that draws into it.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_SHADOW_H
#define SPADEWORK_RENDER_SHADOW_H

#include "render/gpu.h"

enum {
    SHADOW_TEXELS = 2048, ///< a side; with the radius below a texel covers 16 mm: a sixth of a particle of 0.1 m
    SHADOW_TEXELS_LOW = 1024, ///< at medium and low quality
    SHADOW_TOOL_TEXELS = 1024, ///< a side of the parts of the tool: 4 mm a texel around an excavator's bucket
};
#define SHADOW_RADIUS 16.0f ///< m ahead of and around the machine that have shadows: its reach and the truck beside it

/// Parts of the texture.
typedef enum ShadowPart {
    SHADOW_SITE, ///< in its lower left corner: what the sun sees of the site
    SHADOW_TOOL, ///< to the right of it: what the sun sees of the surroundings of the tool
    SHADOW_LAMP, ///< above that: what lamps see of the tool
    SHADOW_PARTS
} ShadowPart;

/// Zero-initialise; owned by the caller, freed by shadow_destroy.
typedef struct Shadow {
    GLuint framebuffer; ///< 0: there is none, and nothing lies in shadow
    GLuint texture;
    int texels[SHADOW_PARTS]; ///< a side of each part, as it was asked for; 0: there is no such part
} Shadow;

/// Makes the maps. Where the driver cannot draw into a depth texture of that size, or `none` asks for that, they are a
/// single texel that lets all light through.
/// texels  of each part; the tool's and the lamp's are as large as each other, or the lamp's is 0
void shadow_create(Shadow *shadow, const int texels[SHADOW_PARTS], bool none);
/// Frees what shadow_create made; a zero `shadow` is left alone.
void shadow_destroy(Shadow *shadow);

/// Makes a part of the map, which has a framebuffer, the target of drawing and clears it. The caller restores its own
/// framebuffer and viewport afterwards.
void shadow_begin(const Shadow *shadow, ShadowPart part);
/// Ends the drawing into a part: depth offsets no longer apply.
void shadow_end(void);

/// Writes how large a part is and where it begins, as shares of the texture: width, height, left, lower edge.
void shadow_place(const Shadow *shadow, ShadowPart part, float place[4]);

#endif
