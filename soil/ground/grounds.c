/// All settled ground together: trays are added to it, moved and saved here, and what is asked of them from outside is
/// checked.
///
/// A tray takes part from the tick after it was added. It moves through a tick as it was told at its start, and stands
/// still in the next unless it is moved again: velocities are no part of the state.
#include "data/core/elementary.h"
#include "soil/ground/grounds.h"

#include <math.h>

#define LONGEST      30.0 ///< m: side of a tray
#define HIGHEST      5.0 ///< m: walls
#define FASTEST      30.0 ///< m/s
#define FASTEST_SPIN 10.0 ///< rad/s
#define FARTHEST     1000.0 ///< m above or below the scene's zero

static bool is_between(double value, double low, double high)
{
    return value >= low && value <= high; // false for NaN
}

/// Highest ground below the tray's floor and walls, m.
static double highest_ground(const Ground *site, const SoilTray *params)
{
    double c = same_cos(params->heading), s = same_sin(params->heading), spacing = site->spacing, highest = -HUGE_VAL;
    int across = (int)(params->width / spacing) + 2, along = (int)(params->length / spacing) + 2;
    for (int i = 0; i <= along; i++) {
        for (int j = 0; j <= across; j++) {
            double u = params->length * ((double)i / along - 0.5), v = params->width * ((double)j / across - 0.5);
            highest = fmax(highest, ground_height(site, params->x + c * u - s * v, params->y + s * u + c * v));
        }
    }
    return highest;
}

static bool check_tray(const SoilModel *model, const Grounds *grounds, const SoilTray *params, Status *status)
{
    double least = 4.0 * model->scene.ground.column_spacing, half_x = 0.5 * model->scene.ground.size_x,
           half_y = 0.5 * model->scene.ground.size_y;
    if (grounds->tray_count == SOIL_MAX_TRAYS) {
        return status_fail(status, STATUS_BAD_FILE, "a tray more than %d cannot be added", SOIL_MAX_TRAYS);
    }
    if (!is_between(params->length, least, LONGEST) || !is_between(params->width, least, LONGEST)) {
        return status_fail(status, STATUS_BAD_FILE, "a tray of %g x %g m cannot be added: a side is %g to %g m",
                           params->length, params->width, least, LONGEST);
    }
    if (!is_between(params->wall, 0.0, HIGHEST)) {
        return status_fail(status, STATUS_BAD_FILE, "a tray with walls of %g m cannot be added: they are 0 to %g m",
                           params->wall, HIGHEST);
    }
    if (!is_between(params->tail, 0.0, params->wall)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "a tray with a tail of %g m cannot be added: it is 0 to %g m, as its walls", params->tail,
                           params->wall);
    }
    if (!is_between(params->x, -half_x, half_x) || !is_between(params->y, -half_y, half_y) ||
        !isfinite(params->heading)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "a tray at (%g, %g) with heading %g cannot be added: x is %g to %g, y %g to %g", params->x,
                           params->y, params->heading, -half_x, half_x, -half_y, half_y);
    }
    double ground = highest_ground(grounds->site, params);
    if (!is_between(params->floor, ground, FARTHEST)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "a tray at (%g, %g) with its floor at %g m cannot be added: the ground there is at %.3f m",
                           params->x, params->y, params->floor, ground);
    }
    return true;
}

int grounds_add_tray(const SoilModel *model, Grounds *grounds, const SoilTray *params, Status *status)
{
    if (!check_tray(model, grounds, params, status)) {
        return -1;
    }
    if (!tray_create(model, params, &grounds->trays[grounds->tray_count])) {
        status_fail(status, STATUS_LACKING, "out of memory for a tray");
        return -1;
    }
    return grounds->tray_count++;
}

void grounds_destroy(Grounds *grounds)
{
    ground_destroy(grounds->site);
    fixtures_destroy(&grounds->fixtures);
    for (int k = 0; k < grounds->tray_count; k++) {
        tray_destroy(&grounds->trays[k]);
    }
}

static bool is_rotation(const Mat3 *rotation)
{
    Vec3 axis[3];
    for (int k = 0; k < 3; k++) {
        axis[k] = vec3(rotation->m[0][k], rotation->m[1][k], rotation->m[2][k]);
    }
    bool good = fabs(vec3_dot(vec3_cross(axis[0], axis[1]), axis[2]) - 1.0) < 1e-6;
    for (int k = 0; k < 3; k++) {
        good = good && fabs(vec3_dot(axis[k], axis[k]) - 1.0) < 1e-6;
    }
    return good;
}

/// Over the site, give or take its own length.
static bool is_frame(const SoilModel *model, const Pose *frame)
{
    double x = 0.5 * model->scene.ground.size_x + LONGEST, y = 0.5 * model->scene.ground.size_y + LONGEST;
    return is_between(frame->position.x, -x, x) && is_between(frame->position.y, -y, y) &&
           is_between(frame->position.z, -FARTHEST, FARTHEST) && is_rotation(&frame->rotation);
}

bool grounds_move_tray(const SoilModel *model, Grounds *grounds, int index, const SoilTrayMotion *motion,
                       Status *status)
{
    if (index < 0 || index >= grounds->tray_count) {
        return status_fail(status, STATUS_BAD_FILE, "tray %d cannot be moved: there are %d", index,
                           grounds->tray_count);
    }
    const Vec3 *at = &motion->frame.position;
    if (!is_frame(model, &motion->frame)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "tray %d cannot be moved to (%g, %g, %g): it stays over the site, its axes upright", index,
                           at->x, at->y, at->z);
    }
    double speed = vec3_length(motion->velocity), spin = vec3_length(motion->spin);
    if (!is_between(speed, 0.0, FASTEST) || !is_between(spin, 0.0, FASTEST_SPIN)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "tray %d cannot move at %g m/s and %g rad/s: at most %g m/s and %g rad/s", index, speed,
                           spin, FASTEST, FASTEST_SPIN);
    }
    Tray *tray = &grounds->trays[index];
    tray->frame = motion->frame;
    tray->velocity = motion->velocity;
    tray->spin = motion->spin;
    tray_set_tail(tray, motion->tail_open);
    return true;
}

void grounds_advance_trays(Grounds *grounds, double h)
{
    for (int k = 0; k < grounds->tray_count; k++) {
        tray_advance(&grounds->trays[k], h);
    }
}

bool grounds_rest_trays(Grounds *grounds)
{
    bool moved = false;
    for (int k = 0; k < grounds->tray_count; k++) {
        Tray *tray = &grounds->trays[k];
        if (vec3_dot(tray->velocity, tray->velocity) + vec3_dot(tray->spin, tray->spin) > 0.0) {
            tray->velocity = tray->spin = vec3(0.0, 0.0, 0.0);
            moved = true;
        }
    }
    return moved;
}

void grounds_visit_trays(const SoilModel *model, Grounds *grounds, StateVisitor *visitor)
{
    for (int k = 0; k < grounds->tray_count && !visitor->failed; k++) {
        Tray *tray = &grounds->trays[k];
        Pose frame = tray->frame;
        uint8_t tail_open = tray->tail_open;
        state_visit_array(visitor, "tray.position", &frame.position, sizeof(double), 3);
        state_visit_array(visitor, "tray.rotation", &frame.rotation, sizeof(double), 9);
        STATE_VISIT(visitor, "tray.tail_open", tail_open);
        if (visitor->restoring && !visitor->failed) {
            if (!is_frame(model, &frame) || tail_open > 1) {
                visitor->failed = true;
                return;
            }
            tray->frame = frame;
            tray_set_tail(tray, tail_open != 0);
            tray->velocity = tray->spin = vec3(0.0, 0.0, 0.0);
            tray_find_lean(tray, tray->ground->lean);
        }
        ground_visit(tray->ground, visitor);
    }
}
