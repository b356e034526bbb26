/// A control map with its names resolved. Internal to input/.
#ifndef SPADEWORK_INPUT_MAP_H
#define SPADEWORK_INPUT_MAP_H

#include "input/input.h"

/// One input of one device: what a name of the map became.
typedef struct Source {
    ControlSource kind;
    int index; ///< -1: none
    int device; ///< of a joystick's axis or button: index into the map's devices
} Source;

typedef struct Binding {
    Source source, modifier;
    ControlAxis axis;
    double scale; ///< factor of the reading
    double low, rest, high; ///< -1..1, of a joystick's axis
} Binding;

typedef struct Action {
    char name[16];
    Source pad, key, joystick;
} Action;

struct InputMap {
    int device_count;
    ControlDevice devices[CONTROLS_MAX_DEVICES];
    int binding_count, action_count;
    Binding bindings[CONTROLS_MAX_BINDINGS];
    Action actions[8];
    ControlCurve curves[CONTROL_COUNT];
    ControlRumble rumble;
};

/// Deflection of a source as its device tells it, -1..1; 0 when it is none, not there or not a number.
double map_raw(Source source, const InputSample *sample);
/// The same as a lever takes it: a joystick's axis from its rest to either end is 0..1.
/// first  -1..1: where the axis was at first, which is as good a rest as the map's when it is near it; NaN: unknown
double map_deflection(const Binding *binding, double first, const InputSample *sample);
/// True when a binding counts: its modifier is held, or it has none and the same input has no other meaning just now.
bool map_counts(const InputMap *map, const Binding *binding, const InputSample *sample);
/// "left stick", "pedals axis 1", "K".
void map_label(const InputMap *map, Source source, char *text, int size);
bool map_is_same(Source a, Source b);

#endif
