/// Forwards to visible_text.h.
#ifndef SPADEWORK_DATA_SHELL_WORD_H
#define SPADEWORK_DATA_SHELL_WORD_H

#include "data/core/visible_text.h"

#endif
