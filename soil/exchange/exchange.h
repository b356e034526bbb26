/// The stages of a tick in which ground turns into particles and particles turn into ground. Mass moves in whole
/// quanta.
#ifndef SPADEWORK_SOIL_EXCHANGE_H
#define SPADEWORK_SOIL_EXCHANGE_H

#include "soil/soil_parts.h"

/// Turns ground into particles ahead of the cutting tools, for the motion of `dt` seconds (spawn.c).
void spawn_ahead(Soil *soil, double dt);

/// Bytes of scratch memory that spawn_ahead takes on a site of so many columns.
size_t spawn_scratch_bytes(int rows, int columns, double spacing);

/// Notes a column to be cut in this tick, down to `floor` (m). `exact`: the edge itself passes there, so that thin
/// shavings go too.
void cut_mark(Soil *soil, int row, int column, double floor, bool exact);
/// Turns the noted columns into particles, all of one soil equally dense (cut.c). Columns in which a particle would
/// have no room, that are too thin for one or that do not fit in the budget stay ground.
void cut_marked(Soil *soil);

/// Notes the columns to be cut that lean on a fixture and are higher than it.
void overflow_mark(Soil *soil);

/// Turns settled load that cannot stay in its tray into particles, and what tools dig there (tray_unload.c).
void tray_unload(Soil *soil, double dt);

/// Puts the mass of particles at rest on the ground that carries them; the particles are then gone (absorb.c).
void absorb_resting(Soil *soil);

/// Returns what the columns of the site that are asked for gained (gain.c). Uses a scratch of the site's tiles.
SoilGain gain_count(const Soil *soil, const SoilGainQuery *query);
/// True when a grain at a place (m, world) is over a tray's floor, up to 0.5 m over its walls, and no tool carries it.
bool tray_carries(const Soil *soil, const Tray *tray, Vec3 at);
/// Returns what a tray holds, with the grains over it (gain.c).
SoilGain gain_of_tray(const Soil *soil, const Tray *tray);

/// Ticks at rest after which a particle lies where it lies.
enum { LYING_TICKS = 6 };
/// True when more than `least` quanta of particles do not lie yet, outside places[count], that no tool carries: of
/// those over a tray, or (NULL) over the site.
bool rest_is_stirred(const Soil *soil, const Tray *tray, const SoilPlace *places, int count, int64_t least);
/// Writes the site's heights [rows][columns] with `grains` laid down on the columns below them, but those over trays.
void rest_lay_down(const Soil *soil, SoilGrains grains, float *heights);

typedef struct FaceFailure FaceFailure;
/// Makes the scratch of face_failure.c. False when memory is short; face_failure_destroy frees what there is.
bool face_failure_create(Soil *soil);
void face_failure_destroy(Soil *soil);
/// Turns intact faces that cannot stand into particles that fall.
void face_failure_step(Soil *soil);

#endif
