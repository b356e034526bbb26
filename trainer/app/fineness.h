/// How fine a slow computer draws: where pictures of low quality still take too long (night, rain, a busy hour), the
/// scene has fewer pixels, notch by notch, and more again when there is time. Pure; knows no clock.
#ifndef SPADEWORK_TRAINER_FINENESS_H
#define SPADEWORK_TRAINER_FINENESS_H

#define FINENESS_SLOW  (1.0 / 13.0) ///< s: pictures that take longer are drawn less finely
#define FINENESS_QUICK 0.050 ///< s: pictures that take less are drawn more finely; a notch up costs less than 1.5 times
#define FINENESS_LEAST 0.6 ///< share of the pixels along a side that the last notch leaves

enum {
    FINENESS_SLOW_PICTURES = 3, ///< in a row, before a notch down
    FINENESS_QUICK_PICTURES = 60, ///< in a row, before a notch up
};

/// Zero is the finest.
typedef struct Fineness {
    int notch; ///< down from the finest
    int slow, quick; ///< pictures in a row
} Fineness;

/// Takes in how long a picture took, s, and returns the share of the quality's pixels along a side, FINENESS_LEAST..1,
/// that the next one is drawn with.
double fineness_next(Fineness *fineness, double seconds);

#endif
