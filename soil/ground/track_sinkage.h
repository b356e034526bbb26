/// Ground under tracks: how deep they sink, what they leave behind, and how that soil bears the next pass.
///
/// Undisturbed ground bears, at the depth z below its surface, under a strip of width b (Bekker 1956; values of soils
/// in Wong, Theory of Ground Vehicles)
///     p = (kc / b + kphi) z^n.
/// Loose soil is compacted (ground.h), and bears then as if it were undisturbed.
///
/// z has two parts: an elastic one p / k, which comes back, k being the stiffness of ground that was pressed before
/// (MachineTracks.stiffness), and one that stays, the rut. The greatest depth that stays is remembered for each column,
/// with the height at which it was found; a column that was dug or filled since by less than that depth keeps the rest
/// of it, by more nothing. So a second pass with the same pressure finds nothing to do, and a heavier one starts where
/// the first ended.
///
/// A track that slips sinks deeper, for what it shears gives way below its shoes: by
///     dz = SLIP_SINKAGE z dj / L,
/// j the way that its shoes have sheared the soil, L the length of the track. A place over which a track passes with
/// the slip i has seen j = L i / (1 - i): at its rear the track stands 1 + SLIP_SINKAGE i / (1 - i) times as deep as
/// without slip, which for small slips is the law of Lyasko (2010): (1 + i) / (1 - i / 2). A track that spins on the
/// spot digs itself in without end.
///
/// What a column loses is laid beside the track, as loose soil; no quantum is lost.
#ifndef SPADEWORK_SOIL_TRACK_SINKAGE_H
#define SPADEWORK_SOIL_TRACK_SINKAGE_H

#include "soil/ground/ground.h"

/// Depth (m) to which undisturbed soil lets a strip `width` (m) wide sink under `pressure` (Pa), 0 and more.
double sinkage_depth(const SoilParams *soil, double width, double pressure);

/// Pressure (Pa) that a column bears under a track `width` (m) wide that stands `depth` (m) below its surface, before
/// it sinks for good: Bekker's at that depth and what it has been pressed down already. 0 at a depth of 0 and less.
double ground_track_bearing(const Ground *ground, int row, int column, double width, double depth);

/// m that a column has been pressed down for good, less what was dug off it or put on it since.
double ground_pressed_depth(const Ground *ground, int row, int column);

/// Notes that a column has just been pressed down by `more`, m, for good, from what ground_pressed_depth gave `before`.
void ground_note_pressed(Ground *ground, int row, int column, double before, double more);

/// Sinks a patch of a track into the ground, and compacts the loose soil under it; call it once a tick.
/// tick  s
void ground_press(Ground *ground, const SoilFootprint *patch, double tick);

#endif
