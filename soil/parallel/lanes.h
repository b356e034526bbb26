/// Lanes of floats: the same arithmetic on LANES numbers at once. Included by the kernels only (pair_kernel.h).
///
/// LANES is 4, 8 or 16 as the instruction set of the including file allows. Every operation works on each lane alone
/// and is rounded as IEEE 754 says (no fused multiply-add, no approximate root), so that all widths give the same
/// bits.
#ifndef SPADEWORK_SOIL_LANES_H
#define SPADEWORK_SOIL_LANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#else
#include <math.h>
#endif

#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#else
#define LANES 4
#endif

typedef float Lanes __attribute__((vector_size(4 * LANES), may_alias));
typedef uint32_t LaneWords __attribute__((vector_size(4 * LANES), may_alias));
typedef uint16_t LaneHalves __attribute__((vector_size(2 * LANES), may_alias));
typedef uint8_t LaneBytes __attribute__((vector_size(LANES), may_alias));
typedef int32_t LaneBits
    __attribute__((vector_size(4 * LANES), may_alias)); ///< as a mask: all bits of a lane set or none

/// The instruction of that name in the widest registers, and their type.
#if LANES == 16
#define LANES_OPERATION(name) _mm512_##name
typedef __m512 LaneRegister;
#elif LANES == 8
#define LANES_OPERATION(name) _mm256_##name
typedef __m256 LaneRegister;
#elif defined(__SSE2__)
#define LANES_OPERATION(name) _mm_##name
typedef __m128 LaneRegister;
#endif

#define LANES_INLINE static inline __attribute__((always_inline))

LANES_INLINE Lanes lanes_load(const float *from)
{
    return *(const Lanes *)from; // aligned: batches start on whole cache lines
}

/// As lanes_load, from any address.
LANES_INLINE Lanes lanes_load_any(const float *from)
{
    Lanes value;
    memcpy(&value, from, sizeof value);
    return value;
}

/// Doubles from any address, rounded.
LANES_INLINE Lanes lanes_load_doubles(const double *from)
{
#if LANES == 16
    __m512 low = _mm512_castps256_ps512(_mm512_cvtpd_ps(_mm512_loadu_pd(from)));
    __m256d high = _mm256_castps_pd(_mm512_cvtpd_ps(_mm512_loadu_pd(from + 8)));
    return (Lanes)_mm512_insertf64x4(_mm512_castps_pd(low), high, 1);
#elif LANES == 8
    __m256 low = _mm256_castps128_ps256(_mm256_cvtpd_ps(_mm256_loadu_pd(from)));
    return (Lanes)_mm256_insertf128_ps(low, _mm256_cvtpd_ps(_mm256_loadu_pd(from + 4)), 1);
#else
    return (Lanes){(float)from[0], (float)from[1], (float)from[2], (float)from[3]};
#endif
}

/// 0, 1, 2 and so on.
LANES_INLINE LaneBits lanes_count(void)
{
#if LANES == 16
    return (LaneBits){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
#elif LANES == 8
    return (LaneBits){0, 1, 2, 3, 4, 5, 6, 7};
#else
    return (LaneBits){0, 1, 2, 3};
#endif
}

LANES_INLINE void lanes_store(float *to, Lanes value)
{
    *(Lanes *)to = value;
}

LANES_INLINE LaneBits lanes_load_bytes(const uint8_t *from)
{
#if LANES == 16 // gcc 12 would convert bytes one by one
    return (LaneBits)_mm512_cvtepu8_epi32(_mm_load_si128((const __m128i *)from));
#elif LANES == 8
    return (LaneBits)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)from));
#else
    return __builtin_convertvector(*(const LaneBytes *)from, LaneBits);
#endif
}

LANES_INLINE void lanes_store_bytes(uint8_t *to, LaneBits value)
{
#if LANES == 16
    _mm_store_si128((__m128i *)to, _mm512_cvtepi32_epi8((__m512i)value));
#elif LANES == 8
    const __m256i lowest = _mm256_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 4, 8, 12,
                                            -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    __m256i bytes = _mm256_shuffle_epi8((__m256i)value, lowest);
    _mm_storel_epi64((__m128i *)to,
                     _mm_unpacklo_epi32(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1)));
#else
    *(LaneBytes *)to = __builtin_convertvector(value, LaneBytes);
#endif
}

LANES_INLINE LaneBits lanes_load_halves(const uint16_t *from)
{
    return __builtin_convertvector(*(const LaneHalves *)from, LaneBits);
}

LANES_INLINE void lanes_store_halves(uint16_t *to, LaneBits value)
{
    *(LaneHalves *)to = __builtin_convertvector(value, LaneHalves);
}

LANES_INLINE Lanes lanes_number(LaneBits value)
{
    return __builtin_convertvector(value, Lanes);
}

/// Towards zero.
LANES_INLINE LaneBits lanes_whole(Lanes value)
{
    return __builtin_convertvector(value, LaneBits);
}

/// Differences of whole numbers, modulo 2^32, as floats.
LANES_INLINE Lanes lanes_difference(Lanes a, Lanes b)
{
    return __builtin_convertvector((LaneBits)((LaneWords)a - (LaneWords)b), Lanes);
}

LANES_INLINE Lanes lanes_all(float value)
{
    return value - (Lanes){0};
}

LANES_INLINE Lanes lanes_select(LaneBits mask, Lanes yes, Lanes no)
{
    return (Lanes)((mask & (LaneBits)yes) | (~mask & (LaneBits)no));
}

LANES_INLINE Lanes lanes_keep(LaneBits mask, Lanes value)
{
    return (Lanes)(mask & (LaneBits)value);
}

/// A bit for each lane of a mask.
LANES_INLINE unsigned lanes_mask(LaneBits mask)
{
#if LANES == 16
    return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask);
#elif LANES == 8
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#elif defined(__SSE2__)
    return (unsigned)_mm_movemask_ps((__m128)mask);
#else
    return (unsigned)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

/// True when any lane of a mask is set.
LANES_INLINE int lanes_any(LaneBits mask)
{
    return lanes_mask(mask) != 0;
}

/// a > b ? a : b, so that b comes out where one is not a number: what the instruction does, too.
LANES_INLINE Lanes lanes_larger(Lanes a, Lanes b)
{
#if defined(__SSE2__)
    return (Lanes)LANES_OPERATION(max_ps)((LaneRegister)a, (LaneRegister)b);
#else
    return lanes_select(a > b, a, b);
#endif
}

/// a < b ? a : b.
LANES_INLINE Lanes lanes_smaller(Lanes a, Lanes b)
{
#if defined(__SSE2__)
    return (Lanes)LANES_OPERATION(min_ps)((LaneRegister)a, (LaneRegister)b);
#else
    return lanes_select(a < b, a, b);
#endif
}

LANES_INLINE Lanes lanes_sqrt(Lanes value)
{
#if defined(__SSE2__)
    return (Lanes)LANES_OPERATION(sqrt_ps)((LaneRegister)value);
#else
    for (int k = 0; k < LANES; k++) {
        value[k] = sqrtf(value[k]);
    }
    return value;
#endif
}

/// Four numbers of LANES rows as four Lanes.
typedef struct LaneRows {
    Lanes x, y, z, w;
} LaneRows;

#if defined(__SSE2__)

/// Vectors that hold row k of each group of four lanes: group g of `part[k]` is row 4 g + k.
LANES_INLINE Lanes lanes_join_rows(const float (*table)[4], size_t stride, const int32_t *index, int k)
{
#if LANES == 16
    __m512 row = _mm512_castps128_ps512(_mm_load_ps(table[stride * (size_t)index[k]]));
    row = _mm512_insertf32x4(row, _mm_load_ps(table[stride * (size_t)index[4 + k]]), 1);
    row = _mm512_insertf32x4(row, _mm_load_ps(table[stride * (size_t)index[8 + k]]), 2);
    return (Lanes)_mm512_insertf32x4(row, _mm_load_ps(table[stride * (size_t)index[12 + k]]), 3);
#elif LANES == 8
    __m256 row = _mm256_castps128_ps256(_mm_load_ps(table[stride * (size_t)index[k]]));
    return (Lanes)_mm256_insertf128_ps(row, _mm_load_ps(table[stride * (size_t)index[4 + k]]), 1);
#else
    return (Lanes)_mm_load_ps(table[stride * (size_t)index[k]]);
#endif
}

LANES_INLINE Lanes lanes_low_pairs(Lanes a, Lanes b)
{
    return (Lanes)LANES_OPERATION(unpacklo_ps)((LaneRegister)a, (LaneRegister)b);
}

LANES_INLINE Lanes lanes_high_pairs(Lanes a, Lanes b)
{
    return (Lanes)LANES_OPERATION(unpackhi_ps)((LaneRegister)a, (LaneRegister)b);
}

LANES_INLINE Lanes lanes_low_halves(Lanes a, Lanes b)
{
    return (Lanes)LANES_OPERATION(shuffle_ps)((LaneRegister)a, (LaneRegister)b, 0x44);
}

LANES_INLINE Lanes lanes_high_halves(Lanes a, Lanes b)
{
    return (Lanes)LANES_OPERATION(shuffle_ps)((LaneRegister)a, (LaneRegister)b, 0xee);
}

/// Transposes the 4 x 4 blocks of four vectors.
LANES_INLINE LaneRows lanes_transpose(Lanes a, Lanes b, Lanes c, Lanes d)
{
    Lanes low_ab = lanes_low_pairs(a, b), low_cd = lanes_low_pairs(c, d);
    Lanes high_ab = lanes_high_pairs(a, b), high_cd = lanes_high_pairs(c, d);
    return (LaneRows){lanes_low_halves(low_ab, low_cd), lanes_high_halves(low_ab, low_cd),
                      lanes_low_halves(high_ab, high_cd), lanes_high_halves(high_ab, high_cd)};
}

/// Rows index[0..LANES-1] of a table in which `stride` of them belong to each index.
LANES_INLINE LaneRows lanes_gather_from(const float (*table)[4], size_t stride, const int32_t *index)
{
    return lanes_transpose(lanes_join_rows(table, stride, index, 0), lanes_join_rows(table, stride, index, 1),
                           lanes_join_rows(table, stride, index, 2), lanes_join_rows(table, stride, index, 3));
}

LANES_INLINE void lanes_split_row(float (*table)[4], size_t stride, const int32_t *index, int k, Lanes rows)
{
#if LANES == 16
    _mm_store_ps(table[stride * (size_t)index[k]], _mm512_castps512_ps128((__m512)rows));
    _mm_store_ps(table[stride * (size_t)index[4 + k]], _mm512_extractf32x4_ps((__m512)rows, 1));
    _mm_store_ps(table[stride * (size_t)index[8 + k]], _mm512_extractf32x4_ps((__m512)rows, 2));
    _mm_store_ps(table[stride * (size_t)index[12 + k]], _mm512_extractf32x4_ps((__m512)rows, 3));
#elif LANES == 8
    _mm_store_ps(table[stride * (size_t)index[k]], _mm256_castps256_ps128((__m256)rows));
    _mm_store_ps(table[stride * (size_t)index[4 + k]], _mm256_extractf128_ps((__m256)rows, 1));
#else
    _mm_store_ps(table[stride * (size_t)index[k]], (__m128)rows);
#endif
}

/// Writes whole rows back. No two lanes may name the same row.
LANES_INLINE void lanes_scatter_to(float (*table)[4], size_t stride, const int32_t *index, LaneRows rows)
{
    LaneRows part = lanes_transpose(rows.x, rows.y, rows.z, rows.w);
    lanes_split_row(table, stride, index, 0, part.x);
    lanes_split_row(table, stride, index, 1, part.y);
    lanes_split_row(table, stride, index, 2, part.z);
    lanes_split_row(table, stride, index, 3, part.w);
}

#else

LANES_INLINE LaneRows lanes_gather_from(const float (*table)[4], size_t stride, const int32_t *index)
{
    LaneRows rows;
    for (int k = 0; k < LANES; k++) {
        const float *row = table[stride * (size_t)index[k]];
        rows.x[k] = row[0];
        rows.y[k] = row[1];
        rows.z[k] = row[2];
        rows.w[k] = row[3];
    }
    return rows;
}

#endif

/// The first `count` rows alone.
LANES_INLINE void lanes_scatter_some(float (*table)[4], size_t stride, const int32_t *index, LaneRows rows, int count)
{
    for (int k = 0; k < count && k < LANES; k++) {
        float *row = table[stride * (size_t)index[k]];
        row[0] = rows.x[k];
        row[1] = rows.y[k];
        row[2] = rows.z[k];
        row[3] = rows.w[k];
    }
}

#if !defined(__SSE2__)

LANES_INLINE void lanes_scatter_to(float (*table)[4], size_t stride, const int32_t *index, LaneRows rows)
{
    lanes_scatter_some(table, stride, index, rows, LANES);
}

#endif

LANES_INLINE LaneRows lanes_gather(const float (*table)[4], const int32_t *index)
{
    return lanes_gather_from(table, 1, index);
}

LANES_INLINE void lanes_scatter(float (*table)[4], const int32_t *index, LaneRows rows)
{
    lanes_scatter_to(table, 1, index, rows);
}

#endif
