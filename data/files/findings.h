/// Forwards to status.h.
#ifndef SPADEWORK_DATA_FINDINGS_H
#define SPADEWORK_DATA_FINDINGS_H

#include "data/core/status.h"

#endif
