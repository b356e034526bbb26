/// cglm beside data/core/vec.h: both want the name `vec3`; here cglm's float vector is called FloatVec3.
#ifndef SPADEWORK_RENDER_LINEAR_H
#define SPADEWORK_RENDER_LINEAR_H

#define vec3 FloatVec3
#include <cglm/cglm.h>
#undef vec3

#endif
