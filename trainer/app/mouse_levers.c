/// Chooses the gates and buttons of the levers for the mouse, and moves the levers by them.
#include "trainer/app/mouse_levers.h"

#include <math.h>
#include <string.h>

#include "data/core/language.h"

#define PRESS 0.05 ///< s: some ticks

/// ---- fields --------------------------------------------------------------------------------------------------------

static RenderMouseField *add_field(MouseLevers *levers, RenderMouseKind kind, MouseField moves)
{
    static const char *const none[4] = {"", "", "", ""};
    if (levers->picture.count == RENDER_MOUSE_FIELDS) {
        return NULL;
    }
    levers->fields[levers->picture.count] = moves;
    RenderMouseField *field = &levers->picture.fields[levers->picture.count++];
    *field = (RenderMouseField){.kind = kind};
    for (int way = 0; way < 4; way++) {
        field->words[way] = none[way];
    }
    return field;
}

/// What a lever does one way.
/// machine  whose jaws the auxiliary lever moves, where it has some
static const char *way_word(ControlAxis axis, int sign, bool ahead, const MachineParams *machine)
{
    if (axis == CONTROL_COUNT) {
        return "";
    }
    if (axis == CONTROL_LEFT_TRACK) {
        return ahead ? language_text(sign > 0 ? TEXT("ahead") : TEXT("back"))
                     : language_text(sign > 0 ? TEXT("right") : TEXT("left"));
    }
    if (axis == CONTROL_AUXILIARY && machine->thumb) {
        return language_text(sign > 0 ? TEXT("thumb close") : TEXT("thumb open"));
    }
    if (axis == CONTROL_AUXILIARY && machine->jaw_count > 0) {
        return language_text(sign > 0 ? TEXT("grab close") : TEXT("grab open"));
    }
    if (axis == CONTROL_BUCKET) {
        return language_text(sign > 0 ? TEXT("curl") : TEXT("dump")); // short enough for a side
    }
    const char *name = input_way_name(axis, sign);
    return name[0] != '\0' ? language_text(name) : "";
}

static void add_gate(MouseLevers *levers, MouseField moves, const MachineParams *machine)
{
    RenderMouseField *field = add_field(levers, RENDER_MOUSE_GATE, moves);
    for (int k = 0; k < 2 && field != NULL; k++) {
        bool ahead = k == 1;
        field->words[ahead ? 0 : 3] = way_word(moves.axis[k], moves.sign[k], ahead, machine);
        field->words[ahead ? 1 : 2] = way_word(moves.axis[k], -moves.sign[k], ahead, machine);
    }
}

static void add_button(MouseLevers *levers, ControlAxis axis, int sign, const char *word)
{
    RenderMouseField *field = add_field(levers, RENDER_MOUSE_BUTTON, (MouseField){{axis, CONTROL_COUNT}, {sign, 1}});
    if (field != NULL) {
        field->words[0] = language_text(word);
    }
}

static bool is_moved(const MouseLevers *levers, ControlAxis axis)
{
    for (int k = 0; k < levers->picture.count; k++) {
        if (levers->fields[k].axis[0] == axis || levers->fields[k].axis[1] == axis) {
            return true;
        }
    }
    return false;
}

/// The gates of the two levers of the seat, as the pattern has them.
static void add_sticks(MouseLevers *levers, const char *pattern, const MachineParams *machine)
{
    for (int k = 0; k < 2; k++) {
        MouseField moves;
        for (int way = 0; way < 2; way++) {
            moves.axis[way] = render_stick_way(pattern, k == 0, way == 1, &moves.sign[way]);
        }
        add_gate(levers, moves, machine);
    }
}

/// Gates for the joints that no lever of the seat moves, two in one.
static void add_others(MouseLevers *levers, const MachineParams *machine)
{
    ControlAxis waiting[MACHINE_MAX_JOINTS];
    int count = 0;
    for (int joint = 0; joint < machine->joint_count; joint++) {
        ControlAxis axis = machine->joint[joint].control;
        bool known = is_moved(levers, axis);
        for (int k = 0; k < count; k++) {
            known |= waiting[k] == axis;
        }
        if (!known) {
            waiting[count++] = axis;
        }
    }
    for (int k = 0; k < count; k += 2) {
        ControlAxis one = waiting[k], other = k + 1 < count ? waiting[k + 1] : CONTROL_COUNT;
        bool upright = one == CONTROL_RIPPER || one == CONTROL_AUXILIARY; // moved up and down, or closed and opened
        MouseField moves = {{upright ? other : one, upright ? one : other}, {1, 1}};
        moves.sign[1] = moves.axis[1] == CONTROL_RIPPER ? -1 : 1; // ahead is up on the screen
        add_gate(levers, moves, machine);
    }
}

void mouse_levers_fill(MouseLevers *levers, const char *pattern, const Session *session, bool slings)
{
    const MachineParams *machine = session_machine_params(session);
    const RenderMouse before = levers->picture;
    levers->picture.count = 0;
    add_sticks(levers, machine->type == MACHINE_DOZER ? "DOZER" : pattern, machine);
    if (!is_moved(levers, CONTROL_LEFT_TRACK)) {
        add_gate(levers, (MouseField){{CONTROL_LEFT_TRACK, CONTROL_LEFT_TRACK}, {1, 1}}, machine);
    }
    add_others(levers, machine);
    add_button(levers, CONTROL_THROTTLE, -1, TEXT("engine slower"));
    add_button(levers, CONTROL_THROTTLE, 1, TEXT("engine faster"));
    add_button(levers, CONTROL_HORN, 1, TEXT("horn"));
    bool hammers = machine->hammer.blow_energy > 0.0;
    if ((hammers || slings) && !is_moved(levers, CONTROL_AUXILIARY)) {
        add_button(levers, CONTROL_AUXILIARY, 1, hammers ? TEXT("hammer") : TEXT("sling"));
    }
    if (machine_floating_joint(machine) >= 0) {
        add_button(levers, CONTROL_BLADE_FLOAT, 1, TEXT("float"));
    }
    if (session_frame(session)->coupler.has) {
        add_button(levers, CONTROL_COUPLER, 1, TEXT("coupler"));
    }
    bool same = before.count == levers->picture.count; // another tool has other fields
    levers->holds = levers->holds && same;
    for (int k = 0; k < before.count && same; k++) {
        memcpy(levers->picture.fields[k].at, before.fields[k].at, sizeof before.fields[k].at);
        levers->picture.fields[k].lit = before.fields[k].lit;
    }
}

/// ---- moving --------------------------------------------------------------------------------------------------------

/// Adds what a gate asks for, at -1..1 of its grip, to the levers.
static void move_by(const MouseField *moves, const double at[2], double levers[CONTROL_COUNT])
{
    for (int k = 0; k < 2; k++) {
        double value = moves->sign[k] * at[k];
        if (moves->axis[k] == CONTROL_LEFT_TRACK) {
            levers[CONTROL_LEFT_TRACK] += value;
            levers[CONTROL_RIGHT_TRACK] += k == 0 ? -value : value;
        } else if (moves->axis[k] != CONTROL_COUNT) {
            levers[moves->axis[k]] += value;
        }
    }
}

static void press(const MouseField *moves, Operator *driver, OperatorPresses *presses)
{
    if (moves->axis[0] == CONTROL_THROTTLE) {
        presses->faster += moves->sign[0] > 0;
        presses->slower += moves->sign[0] < 0;
    } else {
        operator_press(driver, moves->axis[0], PRESS); // also where it is let go before the next tick
    }
}

/// Holds the levers where the fields say.
static void hold(MouseLevers *levers, Operator *driver)
{
    double wanted[CONTROL_COUNT] = {0};
    for (int k = 0; k < levers->picture.count; k++) {
        const RenderMouseField *field = &levers->picture.fields[k];
        if (field->kind == RENDER_MOUSE_GATE) {
            move_by(&levers->fields[k], field->at, wanted);
        } else if (field->lit && levers->fields[k].axis[0] != CONTROL_THROTTLE) {
            wanted[levers->fields[k].axis[0]] = levers->fields[k].sign[0];
        }
    }
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        operator_hold(driver, (ControlAxis)axis, fmax(-1.0, fmin(wanted[axis], 1.0)));
    }
}

static double grip(double pixels, double reach)
{
    return reach > 0.0 ? fmax(-1.0, fmin(pixels / reach, 1.0)) : 0.0;
}

bool mouse_levers_take(MouseLevers *levers, const WindowInput *input, const RenderView *shown, Operator *driver,
                       OperatorPresses *presses)
{
    bool begins = !levers->down && (input->button || input->clicks > 0), taken = false;
    int under = begins && shown != NULL
                    ? render_mouse_at(shown, input->width, input->height, input->mouse_x, input->mouse_y)
                    : -1;
    if (under >= 0 && under < levers->picture.count) {
        levers->holds = taken = true;
        levers->held = under;
        levers->from[0] = input->mouse_x;
        levers->from[1] = input->mouse_y;
        if (levers->picture.fields[under].kind == RENDER_MOUSE_BUTTON) {
            press(&levers->fields[under], driver, presses);
        }
    }
    levers->down = input->button;
    taken |= levers->holds;
    levers->holds = levers->holds && input->button;
    double reach = shown != NULL ? render_mouse_reach(shown, input->width, input->height) : 0.0;
    for (int k = 0; k < levers->picture.count; k++) {
        RenderMouseField *field = &levers->picture.fields[k];
        const ControlAxis *axis = levers->fields[k].axis;
        bool held = levers->holds && levers->held == k;
        field->lit = held && field->kind == RENDER_MOUSE_BUTTON;
        field->at[0] = held && axis[0] != CONTROL_COUNT ? grip(input->mouse_x - levers->from[0], reach) : 0.0;
        field->at[1] = held && axis[1] != CONTROL_COUNT ? grip(levers->from[1] - input->mouse_y, reach) : 0.0;
    }
    hold(levers, driver);
    return taken;
}

void mouse_levers_release(MouseLevers *levers, Operator *driver)
{
    levers->holds = levers->down = false;
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        operator_hold(driver, (ControlAxis)axis, 0.0);
    }
}
