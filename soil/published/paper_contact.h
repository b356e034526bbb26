/// The equations of one contact of the published solvers, for as many contacts as there are lanes.
#ifndef SPADEWORK_SOIL_PAPER_CONTACT_H
#define SPADEWORK_SOIL_PAPER_CONTACT_H

#include "soil/parallel/lanes.h"
#include "soil/published/paper.h"

/// Relaxation factors of the published solvers: eq. 21 made independent of the number of iterations by eq. 28.
///
/// With m the reduced mass 1 / (w_i + w_j) (the paper does not say which mass), k = h^2 k / m and c = h c / m:
///   k_pb = k / (1 + c + k), c_pb = c / (1 + c + k), alpha = 1 - k_pb - c_pb = 1 / (1 + c + k)       (21)
///   k'_pb = 1 - c_pb (1 - alpha^(1/n)) / (1 - alpha) - alpha^(1/n), c'_pb = c_pb (1 - alpha^(1/n)) / (1 - alpha)  (28)
/// which is k'_pb = g k / (c + k), c'_pb = g c / (c + k) with g = 1 - alpha^(1/n) = 1 - exp(-log(1 + c + k) / n).
/// The powers are computed here, the same on every machine and for all lanes at once: one contact each has one in every
/// step.

#define LN_2_HIGH 0.693359375F ///< short enough that its multiples are exact
#define LN_2_LOW  -2.12194440e-4F

/// log(1 + x) for 0 <= x < 1e30, also where x is small.
LANES_INLINE Lanes lanes_log_1p(Lanes x)
{
    Lanes u = 1.0F + x;
    Lanes lost = lanes_select(x < 1.0F, x - (u - 1.0F), 1.0F - (u - x)); // what rounding took from 1 + x
    LaneBits bits = (LaneBits)u, exponent = (bits - 0x3f3504f3) >> 23; // u = m 2^exponent, sqrt(1/2) <= m < sqrt(2)
    Lanes f = (Lanes)(bits - (exponent << 23)) - 1.0F;
    Lanes s = f / (2.0F + f), ss = s * s; // log m = 2 artanh s
    Lanes log_m = 2.0F * s * (1.0F + ss * (1.0F / 3.0F + ss * (0.2F + ss * (1.0F / 7.0F + ss * (1.0F / 9.0F)))));
    Lanes e = __builtin_convertvector(exponent, Lanes);
    return e * LN_2_HIGH + (log_m + (lost / u + e * LN_2_LOW));
}

/// 1 - exp(-y) for 0 <= y < 80, also where y is small.
LANES_INLINE Lanes lanes_one_less_exp(Lanes y)
{
    LaneBits whole = __builtin_convertvector(y * 1.44269504F + 0.5F, LaneBits);
    Lanes k = __builtin_convertvector(whole, Lanes);
    Lanes r = (k * LN_2_HIGH - y) + k * LN_2_LOW; // -y = r - k ln 2
    Lanes series = 1.0F / 720.0F + r * (1.0F / 5040.0F + r * (1.0F / 40320.0F));
    series = 1.0F / 6.0F + r * (1.0F / 24.0F + r * (1.0F / 120.0F + r * series));
    Lanes grown = r + r * r * (0.5F + r * series); // exp(r) - 1
    Lanes power = (Lanes)((127 - whole) << 23); // 2^-k
    return (1.0F - power) - power * grown;
}

/// `stiffness` and `damping` are h^2 k / m and h c / m; they become k'_pb and c'_pb.
LANES_INLINE void paper_relax(Lanes *stiffness, Lanes *damping, float iterations)
{
    Lanes sum = lanes_smaller(*stiffness + *damping, lanes_all(1e30F));
    Lanes g = lanes_one_less_exp(lanes_log_1p(sum) / iterations);
    Lanes scale = lanes_keep(sum > 0.0F, g / sum);
    *stiffness = *stiffness * scale;
    *damping = *damping * scale;
}

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
