/// Writing a control map as the file that data_load_controls reads.
#ifndef SPADEWORK_DATA_CONTROLS_WRITE_H
#define SPADEWORK_DATA_CONTROLS_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include "data/schema/controls_params.h"

/// Numbers get 4 decimals. False when the stream failed.
bool controls_write(const ControlsParams *params, FILE *stream);

#endif
