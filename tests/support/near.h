/// Numbers that are nearly alike.
#ifndef SPADEWORK_TEST_NEAR_H
#define SPADEWORK_TEST_NEAR_H

#include <math.h>

/// `value` is within `tolerance` of `wanted`. To be included after cmocka.h.
#define assert_near(value, wanted, tolerance)                                                                          \
    do {                                                                                                               \
        double near_value = (value), near_wanted = (wanted);                                                           \
        if (!(fabs(near_value - near_wanted) <= (tolerance))) {                                                        \
            fail_msg("%s is %.9g, not %.9g", #value, near_value, near_wanted);                                         \
        }                                                                                                              \
    } while (0)

#endif
