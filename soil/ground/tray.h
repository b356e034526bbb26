/// Trays inside the soil: where they are, how they move, what stays in them. Not for users of the library.
#ifndef SPADEWORK_SOIL_TRAY_H
#define SPADEWORK_SOIL_TRAY_H

#include "soil/soil_parts.h"

/// The body of a tray as the contacts see it.
SoilTool tray_body(const Tray *tray);
/// Velocity of the tray at a place in the world, m/s.
Vec3 tray_velocity(const Tray *tray, Vec3 at);
/// True unless a place in the world is at least `margin` m beside the tray's floor.
bool tray_is_below(const Tray *tray, Vec3 at, double margin);
/// Surface of the settled load over a place of its floor: m off the floor, and its normal, both in the tray's frame.
double tray_surface(const Tray *tray, double x, double y, Vec3 *normal);
/// How steeply loose soil of a kind may rise, in the tray's frame, from the four edges of the tray as it leans.
typedef struct TrayEdges {
    int soil;
    bool slides; ///< the floor falls to an open tail more steeply than steel holds the soil
    double rise[4]; ///< m: of the tail, the front, and beside at low and high y
    double slope[4]; ///< tangent
} TrayEdges;
void tray_edges(const Tray *tray, int soil_index, TrayEdges *edges);
/// Height off the floor (m, tray's frame) that it may have at a place without running out.
double tray_stable_height(const Tray *tray, const TrayEdges *edges, double x, double y);
/// Tells the tray's ground how it leans, for its slopes.
void tray_lean(Tray *tray);
/// True when a particle at rest at a place in the world may settle: the tray stands still and about level, and it would not run out.
bool tray_settles(const Soil *soil, const Tray *tray, Vec3 at);

/// Moves the trays on by `h` seconds.
void soil_advance_trays(Soil *soil, double h);
/// End of a tick: they stand still until they are moved again.
void soil_rest_trays(Soil *soil);
/// Settled load that cannot stay turns into particles, and so does what tools dig in the trays (tip.c).
void soil_tip_trays(Soil *soil, double dt);
void soil_destroy_trays(Soil *soil);
/// The trays' part of the state.
void soil_visit_trays(Soil *soil, StateVisitor *visitor);

#endif
