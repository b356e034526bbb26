/// What a tool carries.
#ifndef SPADEWORK_SOIL_PAYLOAD_H
#define SPADEWORK_SOIL_PAYLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "soil/contact/solver_body.h"
#include "soil/grains/particles.h"

/// Quanta of the particles that a tool carries: inside its `inside` polygon or heaped above it, and moving with it.
/// `count` receives their number.
int64_t payload_measure(const SoilTool *tool, const Particles *particles, int *count);
/// True when a place (m, world) lies in one of the bodies that is a container, or in what is heaped on it.
bool payload_holds(const SolverBody *bodies, int body_count, Vec3 at);

#endif
