/// The actions of a bucket on the ground: digging a field out, pressing on it; and the lanes in which one is planed.
#include "data/core/elementary.h"
#include "data/schema/excavator_params.h"
#include "trainer/pilot/expert_internal.h"

#include <math.h>

#define OVERLAP     0.85 ///< of the edge's width between two lanes
#define FREE_SPEED  1.5 ///< m/s of the edge through the air
#define PRESS_SPEED 0.3 ///< m/s
#define LIFT_SPEED  0.6 ///< m/s
#define FOLLOWS     0.6 ///< of the force with which a hammer is pressed, below which the arm follows it

bool expert_dig(Expert *expert, const ExpertView *view, const ExpertDig *dig, OperatorControls *controls)
{
    Pilot *digger = &expert->digger;
    if (!expert->entered) {
        const ExpertField *field = &dig->field;
        *digger = expert->pilot;
        digger->kind = EXERCISE_TRENCH;
        digger->trench = (SceneTrench){.dump_x = dig->dump_x, .dump_y = dig->dump_y, .dump_radius = dig->dump_radius};
        digger->field = (PilotField){.x = field->x,
                                     .y = field->y,
                                     .heading = field->heading,
                                     .length = field->length,
                                     .width = field->width,
                                     .floor = dig->floor,
                                     .walled = !dig->heap};
    }
    digger->beginner = view->beginner;
    pilot_update(digger, &view->seen, controls);
    return digger->phase == PILOT_REST || (dig->cycles > 0 && digger->cycles >= dig->cycles);
}

/// ---- lanes ---------------------------------------------------------------------------------------------------------

double expert_lane_offset(const ExpertField *field, double edge, int lanes, int lane)
{
    double room = fmax(field->width - edge, 0.0);
    return lanes < 2 ? 0.0 : room * ((double)lane / (lanes - 1) - 0.5);
}

int expert_lane_count(const ExpertField *field, double edge)
{
    return field->width > edge ? 1 + (int)ceil((field->width - edge) / (OVERLAP * edge)) : 1;
}

Vec3 expert_lane_point(const ExpertField *field, double along, double aside, double height)
{
    double c = same_cos(field->heading), s = same_sin(field->heading);
    return vec3(field->x + along * c - aside * s, field->y + along * s + aside * c, height);
}

double expert_lane_mean(const ExpertView *view, const ExpertField *field, double along, double aside, double edge)
{
    enum { LINES = 5 };
    double mean = 0.0;
    for (int n = 0; n < LINES; n++) {
        Vec3 place = expert_lane_point(field, along, aside + 0.8 * edge * ((double)n / (LINES - 1) - 0.5), 0.0);
        mean += view->arm.height(view->arm.context, place.x, place.y) / LINES;
    }
    return mean;
}

/// ---- pressing ------------------------------------------------------------------------------------------------------

/// Over the place, and straight down.
static void begin_press(Expert *expert, const ExpertView *view, const ExpertPress *press)
{
    double ground = view->arm.height(view->arm.context, press->x, press->y);
    expert->lanes = (ExpertLanes){.stage = EXPERT_STAGE_DOWN};
    ExpertLeg leg = {.to = vec3(press->x, press->y, ground + press->over),
                     .angle_to = press->angle,
                     .speed = FREE_SPEED,
                     .tolerance = view->ease * 0.05};
    expert_go_to(expert, view, leg, press->over);
    leg.to.z = ground - press->depth;
    leg.straight = leg.presses = true;
    leg.speed = PRESS_SPEED;
    expert_way_add(expert, view, &expert->way, leg);
}

static void lift_off(Expert *expert, const ExpertView *view, const ExpertPress *press)
{
    ExpertLeg leg = expert->way.legs[expert->way.count - 1];
    expert_way_start(&expert->way);
    expert->lanes.stage = EXPERT_STAGE_UP;
    leg.from = view->tip;
    leg.angle_from = leg.angle_to;
    leg.to.z += press->depth + press->over;
    leg.presses = false;
    leg.speed = LIFT_SPEED;
    expert_way_add(expert, view, &expert->way, leg);
}

/// The hammer strikes; the arm follows it where it goes in. True when its time is over.
static bool strike(Expert *expert, const ExpertView *view, const ExpertPress *press, OperatorControls *controls)
{
    bool over = view->time - expert->lanes.began >= press->seconds;
    if (view->force.z < FOLLOWS * press->force) {
        over = expert_way_follow(expert, view, 0.0, controls) || over;
    }
    controls->axis[CONTROL_AUXILIARY] = CONTROL_FULL;
    return over;
}

/// The soil is given time to yield; the arm follows it where it sinks. True when that is over.
static bool hold_pressed(Expert *expert, const ExpertView *view, const ExpertPress *press, OperatorControls *controls)
{
    if (view->force.z < press->force) {
        expert_way_follow(expert, view, 0.0, controls);
    }
    return view->time - expert->lanes.began >= press->hold;
}

bool expert_press(Expert *expert, const ExpertView *view, const ExpertPress *press, bool begins,
                  OperatorControls *controls)
{
    ExpertLanes *lanes = &expert->lanes;
    if (begins) {
        begin_press(expert, view, press);
    }
    if (lanes->stage == EXPERT_STAGE_STRIKE) {
        bool hammers = press->seconds > 0.0;
        if (hammers ? strike(expert, view, press, controls) : hold_pressed(expert, view, press, controls)) {
            lift_off(expert, view, press);
        }
        return false;
    }
    bool there = expert_way_follow(expert, view, 0.0, controls);
    bool pressed = expert->way.leg + 1 == expert->way.count && view->force.z > press->force;
    if (lanes->stage == EXPERT_STAGE_UP) {
        return there;
    }
    if (pressed && press->seconds + press->hold > 0.0) {
        lanes->stage = EXPERT_STAGE_STRIKE;
        lanes->began = view->time;
    } else if (pressed || there) {
        lift_off(expert, view, press);
    }
    return false;
}
