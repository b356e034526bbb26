/// Forwards to language.h.
#ifndef SPADEWORK_LANGUAGE_TEXT_H
#define SPADEWORK_LANGUAGE_TEXT_H

#include "data/core/language.h"

#endif
