/// Floating-point environments that the host of a library may have set in its threads.
#ifndef SPADEWORK_TESTS_HOST_MODE_H
#define SPADEWORK_TESTS_HOST_MODE_H

#include <fenv.h>
#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

typedef enum HostMode { MODE_DEFAULT, MODE_FLUSHES, MODE_UPWARD, MODE_COUNT } HostMode;

/// What a thread's environment is told apart by.
typedef struct HostControl {
    uint64_t control; ///< MXCSR, FPCR; 0 on other processors
    int rounding, flags;
} HostControl;

static inline HostControl host_control(void)
{
    HostControl now = {.rounding = fegetround(), .flags = fetestexcept(FE_ALL_EXCEPT)};
#if defined __SSE2__
    now.control = _mm_getcsr();
#elif defined __aarch64__
    __asm__ volatile("mrs %0, fpcr" : "=r"(now.control));
#endif
    return now;
}

static inline bool host_control_is(HostControl other)
{
    HostControl now = host_control();
    return now.control == other.control && now.rounding == other.rounding && now.flags == other.flags;
}

/// Sets FTZ and DAZ of MXCSR or FZ of FPCR, or the direction of rounding, for the calling thread.
static inline void host_mode_set(HostMode mode)
{
    if (mode == MODE_UPWARD) {
        fesetround(FE_UPWARD);
    }
    if (mode == MODE_FLUSHES) {
#if defined __SSE2__
        _mm_setcsr(_mm_getcsr() | 0x8040u);
#elif defined __aarch64__
        __asm__ volatile("msr fpcr, %0" : : "r"(host_control().control | UINT64_C(1) << 24));
#endif
    }
}

/// True when the calling thread keeps denormals and rounds to nearest.
static inline bool host_mode_is_default(void)
{
    volatile double tiny = DBL_MIN, one = 1.0, bit = 0x1p-60;
    volatile double half = tiny / 2.0, again = half * 2.0, sum = one + bit;
    return again == tiny && sum == one;
}

#endif
