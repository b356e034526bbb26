/// Finds what raises dust. Of all grains that move fast a few are chosen each tick, by their numbers and the tick's;
/// how many and how dense a puff is follows from speed and soil. What a soil raises comes from its file: what sticks to
/// steel is moist or plastic and raises none, coarse grain raises little. Rates and sizes are chosen by eye, so that
/// tipping a dry load shows and digging does not hide the work.
#include "trainer/app/dust_view.h"

#include <math.h>
#include <string.h>

#define SLOWEST_GRAIN 1.1 ///< m/s
#define GRAIN_RATE    1.4 ///< puffs a s of each grain that moves, while they are few
#define MOST_GRAINS   90.0 ///< puffs a s of all grains
#define SLOWEST_BELT  0.35 ///< m/s
#define BELT_RATE     9.0 ///< puffs for each m of a belt's way
#define GRASS_KEEPS   0.75 ///< share of the dust that grown-over ground holds back
#define STANDARD_FALL 9.81 ///< m/s2

static double ramp(double low, double high, double value)
{
    return fmin(fmax((value - low) / (high - low), 0.0), 1.0);
}

double dust_of_soil(const SoilParams *soil, const SceneWeather *weather)
{
    double moist = ramp(0.3e3, 4e3, soil->steel_adhesion), coarse = ramp(1850.0, 2050.0, soil->bank_density);
    double rain = ramp(0.0, 0.5e-3 / 3600.0, weather->rain); // m/s: half a mm an hour lays all dust
    return (1.0 - moist) * (1.0 - 0.6 * coarse) * (1.0 - rain);
}

/// A number that looks as if it had nothing to do with `x`.
static uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

static double part_of(uint32_t number)
{
    return (double)(number >> 8) / 16777216.0;
}

/// The column of the site under a place.
static size_t column_at(const SoilGridView *site, double x, double y)
{
    double i = fmin(fmax((x - site->origin_x) / site->spacing, 0.0), site->columns - 1.0);
    double j = fmin(fmax((y - site->origin_y) / site->spacing, 0.0), site->rows - 1.0);
    return (size_t)lrint(j) * (size_t)site->columns + (size_t)lrint(i);
}

static void add(DustView *own, Vec3 at, double ground, double born, const RenderPuff *kind)
{
    RenderPuff *puff = &own->puffs[own->next];
    own->next = (own->next + 1) % RENDER_MAX_PUFFS;
    own->count = own->count < RENDER_MAX_PUFFS ? own->count + 1 : own->count;
    *puff = *kind;
    puff->at[0] = (float)at.x;
    puff->at[1] = (float)at.y;
    puff->at[2] = (float)at.z;
    puff->ground = (float)fmin(ground, at.z);
    puff->born = (float)born;
}

/// What is the same for all that is raised at one moment.
typedef struct Moment {
    Session *session;
    SoilGridView site;
    double now, back, span; ///< s of the puffs' clock; s that the moment lies before the session's state; s it lasts
    uint32_t number; ///< of the moment
    double dryness[SCENE_MAX_SOILS];
} Moment;

/// Grains fall freely: where one was `back` s ago follows from its velocity.
static void raise_grains(DustView *own, const Moment *moment)
{
    SoilParticleView grains = soil_get_particles(session_soil(moment->session));
    int moving = 0;
    const double slowest = SLOWEST_GRAIN * SLOWEST_GRAIN;
    for (int k = 0; k < grains.count; k++) {
        Vec3 v = vec3(grains.vx[k], grains.vy[k], grains.vz[k]);
        moving += vec3_dot(v, v) > slowest && moment->dryness[grains.soil[k] % SCENE_MAX_SOILS] > 0.0;
    }
    double chance = moment->span * fmin(GRAIN_RATE, MOST_GRAINS / fmax(moving, 1.0));
    for (int k = 0; k < grains.count && moving > 0; k++) {
        uint32_t number = scramble(grains.id[k] * 2654435761U + moment->number);
        Vec3 v = vec3(grains.vx[k], grains.vy[k], grains.vz[k]);
        double dry = moment->dryness[grains.soil[k] % SCENE_MAX_SOILS], speed = vec3_length(v), back = moment->back;
        v.z += STANDARD_FALL * back;
        bool fell = back == 0.0 || (v.z < 0.5 && vec3_length(v) > SLOWEST_GRAIN); // none was thrown up just now
        if (speed < SLOWEST_GRAIN || !(dry > 0.0) || part_of(number) > chance || !fell) {
            continue;
        }
        Vec3 at = vec3(grains.x[k] - back * v.x, grains.y[k] - back * v.y, grains.z[k]);
        at.z += -back * grains.vz[k] - 0.5 * STANDARD_FALL * back * back;
        const RenderPuff kind = {.strength = (float)(0.30 * dry * fmin(speed / 3.0, 1.0)),
                                 .radius = (float)(0.16 + 0.10 * part_of(scramble(number))),
                                 .rise = (float)(0.25 * speed),
                                 .number = number << 3 | (grains.soil[k] & 7U)};
        double ground = (double)moment->site.height[column_at(&moment->site, at.x, at.y)];
        add(own, at, ground, moment->now - back, &kind);
    }
}

/// Belts raise dust at the end that they leave behind, of what they run on.
static void raise_belts(DustView *own, const Moment *moment)
{
    const MachineParams *machine = session_machine_params(moment->session);
    const MachineState *state = session_machine_state(moment->session);
    Pose base;
    machine_get_body_frame(session_machine(moment->session), state, MACHINE_BASE, &base);
    for (int side = 0; side < 2; side++) {
        double speed = state->track_speed[side];
        uint32_t number = scramble(moment->number + 77U + (uint32_t)side);
        if (fabs(speed) < SLOWEST_BELT || part_of(number) > BELT_RATE * fabs(speed) * moment->span) {
            continue;
        }
        uint32_t other = scramble(number);
        double behind = -copysign(0.5 * machine->tracks.length - 0.5 * part_of(other), speed) - speed * moment->back;
        double aside = (side == 0 ? 0.5 : -0.5) * machine->tracks.gauge + 0.4 * (part_of(scramble(other)) - 0.5);
        Vec3 at = pose_apply(&base, vec3(behind, aside, 0.12));
        size_t column = column_at(&moment->site, at.x, at.y);
        int soil = moment->site.soil[column] % SCENE_MAX_SOILS;
        const SoilParams *params = &session_scene(moment->session)->soils[soil];
        bool grown = moment->site.loose[column] < 60 && params->color_weathered[1] > 0.95f * params->color_weathered[0];
        double dry = moment->dryness[soil] * (grown ? 1.0 - GRASS_KEEPS : 1.0);
        const RenderPuff kind = {.strength = (float)(0.34 * dry * fmin(fabs(speed) / 1.2, 1.0)),
                                 .radius = (float)(0.22 + 0.12 * part_of(other)),
                                 .rise = 0.5f,
                                 .number = number << 3 | (uint32_t)(soil & 7)};
        if (dry > 0.0) {
            add(own, at, (double)moment->site.height[column], moment->now - moment->back, &kind);
        }
    }
}

void dust_view_tick(DustView *own, Session *session, bool jump)
{
    const SessionFrame *frame = session_frame(session);
    const SceneParams *scene = session_scene(session);
    double dt = session_dt(session), most = 0.0;
    if (jump) {
        *own = (DustView){.start = frame->time};
    }
    Moment moment = {.session = session, .site = soil_get_grid(session_soil(session)), .span = dt};
    moment.now = frame->time - own->start;
    for (int k = 0; k < scene->soil_count && k < SCENE_MAX_SOILS; k++) {
        moment.dryness[k] = dust_of_soil(&scene->soils[k], &scene->weather);
        most = fmax(most, moment.dryness[k]);
    }
    uint32_t tick = (uint32_t)llrint(frame->time / dt);
    int moments = jump ? (int)(0.6 * RENDER_PUFF_LIFE / dt) : 1;
    for (int k = moments - 1; k >= 0 && most > 0.0; k--) {
        moment.back = k * dt;
        moment.number = (tick - (uint32_t)k) * 40503U;
        raise_grains(own, &moment);
        raise_belts(own, &moment);
    }
}

void dust_view_build(const DustView *own, const Session *session, double blend, RenderDust *dust)
{
    double back = (1.0 - blend) * session_dt(session);
    *dust =
        (RenderDust){.count = own->count, .puffs = own->puffs, .now = session_frame(session)->time - own->start - back};
}
