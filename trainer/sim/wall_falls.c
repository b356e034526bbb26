/// What walls of ground that fall mean for the exercise and for people.
#include "trainer/sim/wall_falls.h"

#include <math.h>

#include "data/core/elementary.h"

#define LEAST_BURYING 100.0 ///< kg a metre of wall: less than a wheelbarrow full hurts nobody. Chosen
#define OUT_OF_REACH  0.3 ///< m below the crest from which on a person can be buried. Chosen: over the knee
#define STANDS_ON     200.0 ///< kg that a machine bears down on a wall, from which on it goes down with it. Chosen
#define SPOIL_SHARE   0.05 ///< of what fell that lay loose on its edge, from which on it is named. Chosen

/// Where a place lies before a wall: m out from its foot (below 0: over the wall), and m beside its middle.
typedef struct Before {
    double out, beside;
} Before;

static Before before_wall(const SoilFall *fall, Vec3 at)
{
    Vec3 in = vec3_sub(fall->middle, fall->foot);
    in.z = 0.0;
    in = vec3_unit(in, vec3(1.0, 0.0, 0.0));
    double x = at.x - fall->foot.x, y = at.y - fall->foot.y;
    return (Before){.out = -(x * in.x + y * in.y), .beside = fabs(x * in.y - y * in.x)};
}

/// True when a plate stands across the way from the foot of a wall to a place, and reaches up to the place.
static bool is_shielded(const SoilFall *fall, Vec3 at, const SoilPlate *plates, int count)
{
    for (int k = 0; k < count; k++) {
        const SoilPlate *plate = &plates[k];
        double c = same_cos(plate->heading), s = same_sin(plate->heading);
        double here = (at.y - plate->y) * c - (at.x - plate->x) * s;
        double there = (fall->foot.y - plate->y) * c - (fall->foot.x - plate->x) * s;
        double along = (at.x - plate->x) * c + (at.y - plate->y) * s;
        if (here * there <= 0.0 && fabs(along) <= 0.5 * plate->length && plate->top > at.z) {
            return true;
        }
    }
    return false;
}

static bool buries(const SoilFall *fall, Vec3 feet, const SoilPlate *plates, int count)
{
    Before at = before_wall(fall, feet);
    double wide = 2.0 * same_hypot(fall->middle.x - fall->foot.x, fall->middle.y - fall->foot.y);
    bool near = at.beside <= 0.5 * fall->length + 0.5 && at.out >= -wide && at.out <= fall->height;
    bool low = feet.z < fall->middle.z - OUT_OF_REACH;
    return near && (low || at.out < 0.0) && fall->mass >= LEAST_BURYING * fall->length &&
           !is_shielded(fall, feet, plates, count);
}

static ExerciseEvent event_of(const IncidentSight *sight, const SoilFall *fall)
{
    return (ExerciseEvent){
        .tick = sight->tick,
        .number = {
            .x = fall->foot.x, .y = fall->foot.y, .z = fall->foot.z, .load = fall->mass, .height = fall->height}};
}

/// True when a wall fell into the trench that is to be dug.
static bool is_in_mark(const SceneExercise *exercise, const SoilFall *fall)
{
    const SceneTrench *trench = &exercise->trench;
    double c = same_cos(trench->heading), s = same_sin(trench->heading);
    double x = fall->foot.x - trench->x, y = fall->foot.y - trench->y;
    double along = x * c + y * s, across = y * c - x * s;
    return exercise->kind == EXERCISE_TRENCH && along > 0.0 && along < trench->length &&
           fabs(across) < 0.5 * trench->width;
}

static void report_wall(const IncidentSight *sight, const SoilFall *fall, Exercise *exercise)
{
    ExerciseEvent event = event_of(sight, fall);
    event.form = fall->standing > STANDS_ON                  ? EVENT_WALL_MACHINE
                 : fall->spoil > SPOIL_SHARE * fall->mass    ? EVENT_WALL_SPOIL
                 : is_in_mark(&sight->scene->exercise, fall) ? EVENT_WALL_MARK
                                                             : EVENT_WALL_ALONE;
    exercise_report(exercise, INCIDENT_WALL_FELL, &event);
}

void wall_falls_tick(WallFalls *falls, const IncidentSight *sight, const Zones *zones, const SoilPlate *plates,
                     int count, Exercise *exercise)
{
    const SceneWalls *walls = &sight->scene->exercise.walls;
    const SoilFall *fell, *heaviest = NULL;
    int fall_count = soil_get_falls(sight->soil, &fell);
    for (int k = 0; k < fall_count && heaviest == NULL; k++) {
        bool counts = walls->mass > 0.0 && fell[k].mass >= walls->mass && fell[k].height >= walls->height;
        heaviest = counts ? &fell[k] : NULL;
    }
    if (event_spell_begins(&falls->fell, heaviest != NULL, 0.0, sight->dt) && heaviest != NULL) {
        report_wall(sight, heaviest, exercise);
    }
    for (int person = 0; person <= SCENE_MAX_PERSONS; person++) {
        EventThing thing;
        Vec3 feet;
        const SoilFall *on = NULL;
        for (int k = 0; k < fall_count && on == NULL && zones_find_person(zones, person, &feet, &thing); k++) {
            on = buries(&fell[k], feet, plates, count) ? &fell[k] : NULL;
        }
        if (event_spell_begins(&falls->buried[person], on != NULL, 0.0, sight->dt) && on != NULL) {
            ExerciseEvent event = event_of(sight, on);
            event.thing = thing;
            exercise_report(exercise, INCIDENT_PERSON_BURIED, &event);
        }
    }
}

void wall_falls_visit(WallFalls *falls, StateVisitor *visitor)
{
    event_spells_visit(&falls->fell, 1, visitor);
    event_spells_visit(falls->buried, SCENE_MAX_PERSONS + 1, visitor);
}
