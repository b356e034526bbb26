/// Soil that falls through the place of a person.
#include "trainer/sim/falling_soil.h"

#include "data/core/constants.h"

#define FALLS 1.0 ///< m/s downwards, reached after 5 cm of free fall. Chosen: slower soil slides or rolls

FallingSoil falling_soil_on(const Soil *soil, Vec3 feet, double radius, double height)
{
    FallingSoil found = {0};
    SoilParticleView view = soil_get_particles(soil);
    for (int k = 0; k < view.count; k++) {
        double x = view.x[k] - feet.x, y = view.y[k] - feet.y, z = view.z[k] - feet.z;
        if (x * x + y * y > radius * radius || z < 0.0 || z > height || view.vz[k] > -FALLS) {
            continue;
        }
        double mass = view.mass[k] * SOIL_QUANTUM;
        Vec3 velocity = vec3(view.vx[k], view.vy[k], view.vz[k]);
        found.mass += mass;
        found.energy += 0.5 * mass * vec3_dot(velocity, velocity);
        found.middle = vec3_madd(found.middle, mass, vec3(view.x[k], view.y[k], view.z[k]));
    }
    if (found.mass > 0.0) {
        found.middle = vec3_scale(found.middle, 1.0 / found.mass);
    }
    return found;
}
