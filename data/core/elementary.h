/// Elementary functions with the same bits on every computer. IEEE 754 says what +, -, *, / and sqrt give, and fabs,
/// floor, round, remainder, frexp and ldexp are exact; sin, exp and the like are as good as a C library makes them, and
/// glibc makes them from other products where the processor has FMA. So a recording would not replay on a processor
/// without it, nor after an upgrade of glibc. What goes into the state of a session calls these instead
/// (tests/unit/bits.sh); they are sums and products in a written order, compiled without contraction.
///
/// Error: below 1 ulp where nothing else is said, as tests/unit/data/test_data_elementary.c measures. Special
/// values (0 and its sign, infinity, NaN) are those of C17, annex F; errno and the flags are not kept.
#ifndef SPADEWORK_DATA_ELEMENTARY_H
#define SPADEWORK_DATA_ELEMENTARY_H

double same_sin(double angle); ///< -1..1; angle: rad, exact to the last ulp up to 1.6e6 either way, rougher beyond
double same_cos(double angle); ///< -1..1; as same_sin
double same_tan(double angle); ///< as same_sin, 3 ulp
double same_asin(double x); ///< rad, -pi/2..pi/2; x: -1..1, else NaN; 3 ulp
double same_acos(double x); ///< rad, 0..pi; x: -1..1, else NaN; 3 ulp
double same_atan(double x); ///< rad, -pi/2..pi/2; any x; 3 ulp
double same_atan2(double y, double x); ///< rad, -pi..pi: direction of (x, y); (0, 0) gives 0 or pi by the signs; 3 ulp
double same_exp(double x); ///< 0..infinity; any x
double same_log(double x); ///< any; x: 0..infinity, less gives NaN
double same_cbrt(double x); ///< any x
double same_hypot(double x, double y); ///< 0..infinity: length of (x, y), without overflow in between; 2 ulp

/// The lesser and the greater of two numbers: what fmin and fmax give where neither is NaN and not both are zero,
/// without their call. Of zeros, and where one is NaN, b.
static inline double lesser_of(double a, double b)
{
    return a < b ? a : b;
}
static inline double greater_of(double a, double b)
{
    return a > b ? a : b;
}

#endif
