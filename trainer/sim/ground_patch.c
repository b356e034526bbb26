/// Samples a patch of the site: heights of the ground, grains as balls on it, the design.
#include "trainer/sim/ground_patch.h"

#include <assert.h>
#include <math.h>

#include "data/core/elementary.h"
#include "data/schema/schema.h"
#include "soil/soil.h"
#include "trainer/sim/coupling.h"
#include "trainer/sim/exercise.h"
#include "trainer/sim/session.h"

#define FARTHEST 1e5 ///< m of a middle from the origin
#define TURNS    1e3 ///< rad: far beyond any heading, within what same_sin computes exactly

static bool in_range(const char *what, double value, double low, double high, Status *status)
{
    return (value >= low && value <= high) ||
           status_fail(status, STATUS_BAD_USAGE, "patch of heights: %s is %g; allowed are %g to %g", what, value, low,
                       high);
}

bool ground_patch_check(const GroundPatch *patch, Status *status)
{
    return in_range("x", patch->x, -FARTHEST, FARTHEST, status) &&
           in_range("y", patch->y, -FARTHEST, FARTHEST, status) &&
           in_range("heading", patch->heading, -TURNS, TURNS, status) &&
           in_range("rows", patch->rows, 1, GROUND_PATCH_SIDE, status) &&
           in_range("columns", patch->columns, 1, GROUND_PATCH_SIDE, status) &&
           in_range("spacing", patch->spacing, 0.01, 10.0, status);
}

GroundPatch ground_patch_at_tip(const Session *session, int rows, int columns, double spacing)
{
    const MachineReadout *machine = &session_frame(session)->machine;
    return (GroundPatch){.x = machine->tip.x,
                         .y = machine->tip.y,
                         .heading = machine->yaw,
                         .rows = rows,
                         .columns = columns,
                         .spacing = spacing};
}

/// A patch that is being filled, in its own axes: u ahead, v to the left, m from the middle.
typedef struct Sampling {
    const GroundPatch *patch;
    double c, s; ///< cosine and sine of the heading
    double first_u, first_v; ///< m: of sample [0][0]
    SoilGridView grid;
    float *ground;
    uint8_t *mask; ///< or NULL
} Sampling;

static void place_of(const Sampling *self, int row, int column, double *x, double *y)
{
    double u = self->first_u + column * self->patch->spacing, v = self->first_v + row * self->patch->spacing;
    *x = self->patch->x + u * self->c - v * self->s;
    *y = self->patch->y + u * self->s + v * self->c;
}

static bool is_on_site(const Sampling *self, double x, double y)
{
    const SoilGridView *grid = &self->grid;
    double u = (x - grid->origin_x) / grid->spacing, v = (y - grid->origin_y) / grid->spacing;
    return u >= -0.5 && v >= -0.5 && u <= grid->columns - 0.5 && v <= grid->rows - 0.5;
}

static void sample_ground(const Sampling *self, const Soil *soil)
{
    for (int row = 0, k = 0; row < self->patch->rows; row++) {
        for (int column = 0; column < self->patch->columns; column++, k++) {
            double x, y;
            place_of(self, row, column, &x, &y);
            self->ground[k] = (float)soil_get_height(soil, x, y);
            if (self->mask != NULL) {
                self->mask[k] = is_on_site(self, x, y) ? GROUND_PATCH_ON_SITE : 0;
            }
        }
    }
}

/// ---- grains --------------------------------------------------------------------------------------------------------

/// The samples of one axis that a grain covers: those within `radius` of `at`, and the nearest one.
typedef struct Reach {
    int nearest; ///< index; below 0 or beyond the last where the grain's middle lies beside the patch
    int first, last;
} Reach;

static Reach reach_of(double at, double radius, double spacing, double first, int count)
{
    double middle = (at - first) / spacing, half = radius / spacing;
    Reach reach = {
        .nearest = (int)floor(middle + 0.5), .first = (int)ceil(middle - half), .last = (int)floor(middle + half)};
    reach.first = reach.nearest < reach.first ? reach.nearest : reach.first;
    reach.last = reach.nearest > reach.last ? reach.nearest : reach.last;
    reach.first = reach.first < 0 ? 0 : reach.first;
    reach.last = reach.last >= count ? count - 1 : reach.last;
    return reach;
}

/// A grain in the patch's axes.
typedef struct Ball {
    double u, v; ///< m from the patch's middle
    double z, radius; ///< m, world; m
} Ball;

/// The height of a ball's skin over a sample, m; below all ground where it does not cover the sample.
static float skin_over(const Sampling *self, const Ball *ball, int row, int column, bool nearest)
{
    double du = self->first_u + column * self->patch->spacing - ball->u;
    double dv = self->first_v + row * self->patch->spacing - ball->v;
    double under = ball->radius * ball->radius - du * du - dv * dv, x, y;
    place_of(self, row, column, &x, &y);
    if ((!nearest && under <= 0.0) || !is_on_site(self, x, y)) {
        return -INFINITY;
    }
    return (float)(ball->z + (nearest ? ball->radius : sqrt(under)));
}

/// Raises the samples that a ball covers; without `raise` it changes nothing. Returns whether any sample lies below it.
static bool lay_ball(const Sampling *self, const Ball *ball, bool raise)
{
    const GroundPatch *patch = self->patch;
    Reach along = reach_of(ball->u, ball->radius, patch->spacing, self->first_u, patch->columns);
    Reach across = reach_of(ball->v, ball->radius, patch->spacing, self->first_v, patch->rows);
    bool any = false;
    for (int row = across.first; row <= across.last; row++) {
        for (int column = along.first; column <= along.last; column++) {
            bool nearest = row == across.nearest && column == along.nearest;
            int k = row * patch->columns + column;
            float top = skin_over(self, ball, row, column, nearest);
            if (top <= self->ground[k]) {
                continue;
            }
            any = true;
            if (raise) {
                self->ground[k] = top;
            }
            if (raise && self->mask != NULL) {
                self->mask[k] |= GROUND_PATCH_GRAINS;
            }
        }
    }
    return any;
}

/// Whether a grain lies on the site is asked last: it costs most.
static void add_grains(const Sampling *self, Session *session)
{
    SoilTool tools[COUPLING_MAX_TOOLS];
    int tool_count = coupling_tools(session_machine(session), session_machine_state(session), tools);
    const Soil *soil = session_soil(session);
    SoilParticleView grains = soil_get_particles(soil);
    double reach_u = -self->first_u + self->patch->spacing, reach_v = -self->first_v + self->patch->spacing;
    for (int i = 0; i < grains.count; i++) {
        double dx = grains.x[i] - self->patch->x, dy = grains.y[i] - self->patch->y;
        Ball ball = {.u = dx * self->c + dy * self->s,
                     .v = dy * self->c - dx * self->s,
                     .z = grains.z[i],
                     .radius = (double)grains.radius[i]};
        if (fabs(ball.u) > reach_u + ball.radius || fabs(ball.v) > reach_v + ball.radius) {
            continue;
        }
        Vec3 at = vec3(grains.x[i], grains.y[i], grains.z[i]);
        if (lay_ball(self, &ball, false) && soil_is_on_site(soil, tools, tool_count, at)) {
            lay_ball(self, &ball, true);
        }
    }
}

static void sample_design(const Sampling *self, const DesignSurface *wanted, float *design)
{
    for (int row = 0, k = 0; row < self->patch->rows; row++) {
        for (int column = 0; column < self->patch->columns; column++, k++) {
            double x, y, height;
            place_of(self, row, column, &x, &y);
            bool asked = is_on_site(self, x, y) && design_height(wanted, x, y, &height);
            design[k] = asked ? (float)height : self->ground[k];
            if (asked && self->mask != NULL) {
                self->mask[k] |= GROUND_PATCH_DESIGN;
            }
        }
    }
}

void ground_patch_fill(Session *session, const GroundPatch *patch, float *ground, float *design, uint8_t *mask)
{
    assert(patch->rows >= 1 && patch->rows <= GROUND_PATCH_SIDE && patch->columns >= 1 &&
           patch->columns <= GROUND_PATCH_SIDE && patch->spacing > 0.0);
    Sampling self = {.patch = patch,
                     .c = same_cos(patch->heading),
                     .s = same_sin(patch->heading),
                     .first_u = -0.5 * (patch->columns - 1) * patch->spacing,
                     .first_v = -0.5 * (patch->rows - 1) * patch->spacing,
                     .grid = soil_get_grid(session_soil(session)),
                     .ground = ground,
                     .mask = mask};
    sample_ground(&self, session_soil(session));
    add_grains(&self, session);
    if (design != NULL) {
        sample_design(&self, exercise_work(session_exercise(session)), design);
    }
}
