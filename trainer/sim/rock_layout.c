/// Draws sizes, shapes and places of a scene's rocks from counter-based random numbers of the scene's seed: flat slabs
/// flat, others turned at random (Shoemake 1992, Uniform random rotations), clear of one another.
#include "trainer/sim/rock_layout.h"

#include <math.h>

#include "data/core/elementary.h"
#include "data/core/random.h"
#include "trainer/sim/rock_shapes.h"

enum { STREAM_PLACE = 211, STREAM_TURN = 212 };

// m: rocks are dropped so far above one another.
#define DROP_GAP 0.03

/// Shapes of a group: as many as its share of what there may be.
static int shapes_of(const SceneParams *scene, int group)
{
    int most = ROCK_MAX_SHAPES / scene->rocks_count, count = scene->rocks[group].count;
    return count < most ? count : most;
}

void rock_layout_shapes(const SceneParams *scene, uint64_t seed, RocksParams *params)
{
    for (int g = 0; g < scene->rocks_count; g++) {
        const SceneRocks *group = &scene->rocks[g];
        int shapes = shapes_of(scene, g);
        double largest = fmax(group->largest, group->size);
        for (int k = 0; k < shapes; k++) {
            double share = shapes > 1 ? (double)k / (shapes - 1) : 0.0;
            double size = group->size + share * (largest - group->size);
            rock_shape_make(group->shape, size, group->density, seed, (uint64_t)params->shape_count,
                            &params->shape[params->shape_count]);
            params->shape[params->shape_count].work_index = group->work_index;
            params->shape_count++;
        }
        params->budget += group->count;
    }
}

/// A unit quaternion of rounded numbers.
static Quat rounded_turn(double w, double x, double y, double z)
{
    double q[4] = {rock_round(w), rock_round(x), rock_round(y), rock_round(z)};
    double scale = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (Quat){scale * q[0], scale * q[1], scale * q[2], scale * q[3]};
}

/// A turn drawn evenly from all of them (Shoemake 1992).
static Quat random_turn(uint64_t seed, int rock)
{
    double u[3];
    for (int k = 0; k < 3; k++) {
        u[k] = random_unit(seed, STREAM_TURN, (uint64_t)rock * 4 + (uint64_t)k);
    }
    double a = sqrt(1.0 - u[0]), b = sqrt(u[0]);
    return rounded_turn(b * same_cos(2.0 * M_PI * u[2]), a * same_sin(2.0 * M_PI * u[1]),
                        a * same_cos(2.0 * M_PI * u[1]), b * same_sin(2.0 * M_PI * u[2]));
}

/// Flat slabs lie flat.
static Quat turn_of(const SceneRocks *group, uint64_t seed, int rock)
{
    double half = M_PI * random_unit(seed, STREAM_TURN, (uint64_t)rock * 4);
    bool flat = group->shape == SCENE_ROCK_SLAB && group->count == 1;
    return flat ? rounded_turn(same_cos(half), 0.0, 0.0, same_sin(half)) : random_turn(seed, rock);
}

/// m from the centre of mass down to the lowest corner.
static double depth_below(const Rocks *rocks, int shape, Quat turn)
{
    Mat3 rotation = mat3_from_quat(turn);
    const ConvexHull *hull = rocks_get_part(rocks, shape, 0);
    double lowest = 0.0;
    for (int k = 0; k < hull->point_count; k++) {
        lowest = fmin(lowest, mat3_mul(&rotation, hull->point[k]).z);
    }
    return -lowest;
}

/// The least height at which a ball is clear of those of the rocks that are there.
static double clear_height(const RockLayout *layout, const Rocks *rocks, int count, Vec3 at, double radius)
{
    RockView view;
    bool moved = true;
    while (moved) {
        moved = false;
        for (int i = 0; i < count; i++) {
            if (!rocks_get(rocks, i, &view)) {
                continue;
            }
            Vec3 to = vec3_sub(at, view.motion.frame.position);
            double apart = radius + layout->radius[view.shape] + DROP_GAP,
                   square = apart * apart - to.x * to.x - to.y * to.y;
            if (square > 0.0 && to.z * to.z < square * (1.0 - 1e-9)) {
                at.z = view.motion.frame.position.z + sqrt(square);
                moved = true;
            }
        }
    }
    return at.z;
}

static bool add_rock(const RockLayout *layout, Rocks *rocks, const SceneRocks *group, int shape, int rock,
                     Status *status)
{
    uint64_t seed = layout->seed;
    double share = random_unit(seed, STREAM_PLACE, 2 * (uint64_t)rock);
    double angle = 2.0 * M_PI * random_unit(seed, STREAM_PLACE, 2 * (uint64_t)rock + 1);
    double out = group->count > 1 ? group->spread * sqrt(share) : 0.0;
    Vec3 at = vec3(rock_round(group->x + out * same_cos(angle)), rock_round(group->y + out * same_sin(angle)), 0.0);
    Quat turn = turn_of(group, seed, rock);
    at.z = soil_get_height(layout->soil, at.x, at.y) + group->z + depth_below(rocks, shape, turn);
    at.z = clear_height(layout, rocks, rock, at, layout->radius[shape]);
    const Vec3 rest = {0.0, 0.0, 0.0};
    return rocks_add(rocks, shape, at, turn, rest, rest, status) == rock;
}

bool rock_layout_add(const RockLayout *layout, Rocks *rocks, bool fall, int *count, Status *status)
{
    int first_shape = 0;
    for (int g = 0; g < layout->scene->rocks_count; g++) {
        const SceneRocks *group = &layout->scene->rocks[g];
        int shapes = shapes_of(layout->scene, g);
        for (int k = 0; k < group->count && (group->z > 0.0) == fall; k++) {
            if (!add_rock(layout, rocks, group, first_shape + k % shapes, *count, status)) {
                return false;
            }
            ++*count;
        }
        first_shape += shapes;
    }
    return true;
}
