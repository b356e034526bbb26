/// The stages of a tick in which ground turns into particles and particles turn into ground, and what is counted of
/// both: gains, loads of tools and trays, rest. Mass moves in whole quanta.
#ifndef SPADEWORK_SOIL_EXCHANGE_H
#define SPADEWORK_SOIL_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/status.h"
#include "soil/soil_parts.h"

/// Turns ground into particles ahead of the cutting tools, for the motion of `dt` seconds (spawn.c).
void spawn_ahead(Soil *soil, double dt);

/// Bytes of scratch memory that spawn_ahead takes on a site of so many columns.
size_t spawn_scratch_bytes(int rows, int columns, double spacing);

/// Notes a column to be cut in this tick, down to `floor` (m). `exact`: the edge itself passes there, so that thin
/// shavings go too.
void cut_mark(Soil *soil, int row, int column, double floor, bool exact);
/// Turns the noted columns into particles, all of one soil equally dense (spawn.c). Columns in which a particle would
/// have no room, that are too thin for one or that do not fit in the budget stay ground.
void cut_marked(Soil *soil);

/// Turns settled load that cannot stay in its tray into particles, and what tools dig there (tray_unload.c).
void tray_unload(Soil *soil, double dt);

/// Puts the mass of particles at rest on the ground that carries them; the particles are then gone (absorb.c).
void absorb_resting(Soil *soil);

/// Returns the gain of the columns of the site that `query` chooses (gain.c). Uses a scratch of the site's tiles.
SoilGain gain_count(const Soil *soil, const SoilGainQuery *query);
/// True when a grain at a place (m, world) is over a tray's floor, up to 0.5 m over its walls, and no tool carries it.
bool tray_carries(const Soil *soil, const Tray *tray, Vec3 at);
/// Returns what a tray holds, with the grains over it (gain.c).
SoilGain gain_of_tray(const Soil *soil, const Tray *tray);

/// True when more than `least` quanta of particles do not lie yet, outside places[count], that no tool carries: of
/// those over a tray, or (NULL) over the site.
bool rest_is_stirred(const Soil *soil, const Tray *tray, const SoilPlace *places, int count, int64_t least);
/// Writes the site's heights [rows][columns] with `grains` laid down on the columns below them, but those over trays.
void rest_lay_down(const Soil *soil, SoilGrains grains, float *heights);

typedef struct FaceFailure FaceFailure;
/// Makes the scratch of absorb.c. False when memory is short; absorb_destroy frees what there is.
bool absorb_create(Soil *soil);
void absorb_destroy(Soil *soil);
/// Makes the scratch of face_failure.c. False when memory is short; face_failure_destroy frees what there is.
bool face_failure_create(Soil *soil);
void face_failure_destroy(Soil *soil);
/// Gives memory that holds nothing between two looks back to the system.
void face_failure_give_back(Soil *soil);
/// Turns intact faces that cannot stand into particles that fall.
void face_failure_step(Soil *soil);

/// ---- loose grains in volumes ---------------------------------------------------------------------------------------

/// Fills every volume of the scene, in order, with particles at rest. No two overlap, none reaches out of its volume or
/// into the ground; places taken by an earlier volume are left out. Follows from the scene and the soil's seed alone.
/// False with `status` (STATUS_BAD_FILE) when a volume has room for no grain or for more than the particle budget.
bool fill_grains(Soil *soil, Status *status);

/// ---- crowding ------------------------------------------------------------------------------------------------------
/// What is given up when more particles are awake than a tick may take (SceneParticles.most_awake).

/// A tool that cuts, as far as soil at rest has to keep its distance from it.
typedef struct CrowdingTool {
    const SolverBody *body; ///< borrowed from the soil
    Vec3 middle; ///< m, world: of its bounding sphere
    Vec3 way; ///< direction in which that moves; its length is 0 of a tool that stands .. 1
    double off; ///< m: from that middle to the nearest steel
} CrowdingTool;

/// How crowded a soil is, by the particles that do not sleep alone, and what follows for particles and ground.
typedef struct Crowding {
    double share; ///< 0: nothing is given up .. 1: as many are awake as the scene allows, or more
    double reach; ///< m, true distance to the tools' plates: what lies farther away is far; infinite when share is 0
    int tool_count;
    CrowdingTool tools[SOIL_MAX_BODIES];
} Crowding;

/// Measures how crowded a soil is. Bodies are those that were taken last.
Crowding crowding_measure(const Soil *soil);
/// m: how far from a point of an edge its wedge frees ground, `cosine` being that of the angle between the way there
/// and the edge's own. Infinite when nothing is given up.
double crowding_wedge_reach(const Crowding *crowding, double cosine);

/// ---- what tools carry ----------------------------------------------------------------------------------------------

/// Quanta of the particles that a tool carries: inside its `inside` polygon or heaped above it, and moving with it.
/// `count` receives their number.
int64_t payload_measure(const SoilTool *tool, const Particles *particles, int *count);
/// True when a place (m, world) lies in a tool that is a container, or in what is heaped on it.
bool tool_carries(const SoilTool *tool, Vec3 at);
/// True when a place (m, world) lies in one of the bodies that is a container, or in what is heaped on it.
bool payload_holds(const SolverBody *bodies, int body_count, Vec3 at);

#endif
