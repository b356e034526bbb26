/// Surfaces of DXF files: 3DFACE and polyface meshes, each layer a surface of its layer's name; and layers without
/// faces but with points, lines and polylines that have heights, joined to triangles of which the lines are edges.
///
/// The unit is that of $INSUNITS; where the file states none, metres are meant. What lies in paper space is left out,
/// and so are lines without a height (no group 30, in LWPOLYLINE no 38). Arcs of polylines are their chords. What is in
/// blocks and polygon meshes is not read; a file that has nothing else is refused with what to do.
#ifndef SPADEWORK_DATA_DXF_H
#define SPADEWORK_DATA_DXF_H

#include "data/files/survey_scan.h"

/// True when a file begins like a DXF with text.
bool dxf_is(const char *first);
/// See SurveyScan.
SurveyScan dxf_scan;

#endif
