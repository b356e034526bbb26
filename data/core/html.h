/// Forwards to visible_text.h.
#ifndef SPADEWORK_DATA_HTML_H
#define SPADEWORK_DATA_HTML_H

#include "data/core/visible_text.h"

#endif
