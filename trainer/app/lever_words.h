/// What people call the levers and their ways, in the language of who reads. Pure.
#ifndef SPADEWORK_TRAINER_LEVER_WORDS_H
#define SPADEWORK_TRAINER_LEVER_WORDS_H

#include "data/core/operator_controls.h"

/// A lever's name and the two ways it goes; "" = it does not go that way.
typedef struct LeverWords {
    const char *lever, *less, *more; ///< "Swing", "left" (minus), "right" (plus)
} LeverWords;

LeverWords lever_words(ControlAxis axis);

/// Cuts what a map says of a lever (input_map_describe) to pad and first keys: what needs a second key held ("Left
/// Shift + D"), and what follows it, goes.
void lever_words_cut(char *bound);

#endif
