/// The equations of one contact of the published solvers, for as many contacts as there are lanes.
#ifndef SPADEWORK_SOIL_PAPER_CONTACT_H
#define SPADEWORK_SOIL_PAPER_CONTACT_H

#include "soil/parallel/lanes.h"
#include "soil/published/paper.h"

typedef struct LaneVector {
    Lanes x, y, z;
} LaneVector;

LANES_INLINE Lanes lane_dot(LaneVector a, LaneVector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// What a contact is made of; see PaperRow and PaperStick.
typedef struct PaperLaw {
    Lanes stiffness, damping, friction, pull, inverse_radius;
} PaperLaw;

/// How the two sides of a contact lie and move; the normal points to i, `relative` is v = (p_i - x_i) - (p_j - x_j)
/// (eq. 30).
typedef struct PaperTouch {
    Lanes overlap; ///< C_s (eq. 22), not above 0 where they touch
    Lanes approach; ///< v.n
    LaneVector normal, slide; ///< slide: v_perp = v - (v.n) n
} PaperTouch;

LANES_INLINE Lanes lanes_size(Lanes value)
{
    return (Lanes)((LaneBits)value & 0x7fffffff);
}

/// Correction of the displacement of i against j by a touching contact, of which i is to get its share w_i / (w_i +
/// w_j).
LANES_INLINE LaneVector paper_correct(const PaperLaw *law, float static_ratio, bool macklin, bool adhesive,
                                      const PaperTouch *touch)
{
    Lanes overlap = touch->overlap, approach = touch->approach;
    LaneVector normal = touch->normal, slide = touch->slide;
    // Eq. 17: C_d = v.n. Eqs. 7 and 23: lambda_n = -(k'_pb C_s + c'_pb C_d).
    Lanes lambda_n = -(law->stiffness * overlap + law->damping * approach);
    // Eq. 33: friction may correct mu |lambda_n|. Macklin et al. (2014): mu times the depth of penetration, of which an
    // iteration resolves the part k'_pb + c'_pb (all of it in their rigid contacts).
    Lanes pressed = lanes_size(lambda_n);
    if (macklin) {
        pressed = -overlap * (law->stiffness + law->damping);
    }
    Lanes kinetic = law->friction * pressed;
    Lanes held = static_ratio * kinetic;
    if (adhesive) {
        // Eqs. 35, 36: F_a = a pi r_min^2 (1 - (zeta / r_min - 1)^2), as a displacement by eq. 34.
        Lanes depth = lanes_smaller(-overlap * law->inverse_radius, lanes_all(1.0F)) - 1.0F;
        Lanes lambda_a = law->pull * (1.0F - depth * depth);
        kinetic += lambda_a;
        held += lambda_a;
        // A damper along the normal without relaxation, capped, applied right after the spring-damper.
        lambda_n += lanes_larger(-lambda_a, lanes_smaller(lambda_a, -(approach + lambda_n)));
    }
    // Eq. 30: lambda = v.t with t = v_perp / |v_perp|. Eqs. 31-33; the correction opposes the slide. mu_k |lambda_n| /
    // lambda is written so that the division need not wait for the root.
    Lanes square = lane_dot(slide, slide), lambda = lanes_sqrt(square);
    Lanes part = lanes_select(lambda <= held, lanes_all(1.0F), kinetic / square * lambda);
    return (LaneVector){lambda_n * normal.x - part * slide.x, lambda_n * normal.y - part * slide.y,
                        lambda_n * normal.z - part * slide.z};
}

/// Eq. 22 for two particles: C_s = |p_i - p_j| - (r_i + r_j) with p_i - p_j = start + relative. In one place they have
/// a normal of no length. Roots do not wait for divisions, nor these for roots. Returns which lanes touch.
LANES_INLINE LaneBits paper_touch_particle(LaneVector start, LaneVector relative, Lanes radii, PaperTouch *touch)
{
    LaneVector between = {start.x + relative.x, start.y + relative.y, start.z + relative.z};
    Lanes square = lane_dot(between, between), distance = lanes_sqrt(square);
    Lanes per_square = lanes_keep(square > 1e-18F, 1.0F / square), inverse = distance * per_square;
    Lanes along = lane_dot(relative, between), turn = along * per_square;
    touch->overlap = distance - radii;
    touch->approach = along * inverse;
    touch->normal = (LaneVector){between.x * inverse, between.y * inverse, between.z * inverse};
    touch->slide =
        (LaneVector){relative.x - turn * between.x, relative.y - turn * between.y, relative.z - turn * between.z};
    return touch->overlap <= 0.0F;
}

/// Eq. 22 for a particle and a plane, at the start of the step `gap` apart. Returns which lanes touch.
LANES_INLINE LaneBits paper_touch_plane(Lanes gap, LaneVector normal, LaneVector relative, PaperTouch *touch)
{
    Lanes approach = lane_dot(relative, normal);
    touch->overlap = gap + approach;
    touch->approach = approach;
    touch->normal = normal;
    touch->slide = (LaneVector){relative.x - approach * normal.x, relative.y - approach * normal.y,
                                relative.z - approach * normal.z};
    return touch->overlap <= 0.0F;
}

#endif
