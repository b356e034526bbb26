/// Surfaces of DXF files: 3DFACE and polyface meshes, each layer a surface of its layer's name.
///
/// The unit is that of $INSUNITS; where the file states none, metres are meant. Faces in paper space are left out. What
/// is in blocks, polygon meshes and lines are not read; a file that has nothing else is refused with what to do.
#ifndef SPADEWORK_DATA_DXF_H
#define SPADEWORK_DATA_DXF_H

#include "data/files/survey_scan.h"

/// True when a file begins like a DXF with text.
bool dxf_is(const char *first);
/// See SurveyScan.
SurveyScan dxf_scan;

#endif
