/// Relaxation factors of the published solvers: eq. 21 made independent of the number of iterations by eq. 28.
///
/// With m the reduced mass 1 / (w_i + w_j) (the paper does not say which mass), k = h^2 k / m and c = h c / m:
///   k_pb = k / (1 + c + k), c_pb = c / (1 + c + k), alpha = 1 - k_pb - c_pb = 1 / (1 + c + k)       (21)
///   k'_pb = 1 - c_pb (1 - alpha^(1/n)) / (1 - alpha) - alpha^(1/n), c'_pb = c_pb (1 - alpha^(1/n)) / (1 - alpha)  (28)
/// which is k'_pb = g k / (c + k), c'_pb = g c / (c + k) with g = 1 - alpha^(1/n) = 1 - exp(-log(1 + c + k) / n).
/// The powers are computed here, the same on every machine and for all lanes at once: one contact each has one in every
/// step.
#ifndef SPADEWORK_SOIL_PAPER_RELAX_H
#define SPADEWORK_SOIL_PAPER_RELAX_H

#include "soil/parallel/lanes.h"

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

#endif
