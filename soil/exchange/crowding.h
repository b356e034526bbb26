/// What is given up when more particles are awake than a tick may take (SceneParticles.most_awake).
#ifndef SPADEWORK_SOIL_CROWDING_H
#define SPADEWORK_SOIL_CROWDING_H

#include "soil/soil_parts.h"

/// A tool that cuts, as far as soil at rest has to keep its distance from it.
typedef struct CrowdingTool {
    const SolverBody *body; ///< borrowed from the soil
    Vec3 middle; ///< m, world: of its bounding sphere
    Vec3 way; ///< direction in which that moves; its length is 0 of a tool that stands .. 1
    double off; ///< m: the steel is no farther from that middle
} CrowdingTool;

/// How crowded a soil is, by the particles that do not sleep alone, and what follows for particles and ground.
typedef struct Crowding {
    double share; ///< 0: nothing is given up .. 1: as many are awake as the scene allows, or more
    double reach; ///< m, true distance to the tools' plates: what lies farther away is far; infinite when share is 0
    int tool_count;
    CrowdingTool tools[SOIL_MAX_BODIES];
} Crowding;

/// Looks how crowded a soil is. Bodies are those that were taken last.
Crowding crowding_look(const Soil *soil);
/// True when particle i, which need not be quiet yet, is to become ground at once: it is far, slow and lies on the
/// site.
bool crowding_settles(const Soil *soil, const Crowding *crowding, int32_t i);
/// m: how far from a point of an edge its wedge frees ground, `cosine` being that of the angle between the way there
/// and the edge's own. Infinite when nothing is given up.
double crowding_wedge_reach(const Crowding *crowding, double cosine);

#endif
