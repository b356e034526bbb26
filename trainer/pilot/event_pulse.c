/// The table of pulses. Devices state no strength in N, so that all numbers in it are chosen; what counts is that a
/// heavier blow is felt as such, and that kinds differ: blows by the heavy motor, slipping by the light one, tipping by
/// both and for long.
#include "trainer/pilot/event_pulse.h"

#include <math.h>
#include <stddef.h>

#define LEAST 0.2 ///< share of a pulse that the lightest event of a kind gives

/// How strong an event is: the number of it that counts, and how much of it is a full pulse.
typedef struct PulseRow {
    Incident incident;
    size_t number; ///< place in EventNumbers; not read where `full` is 0
    double full; ///< in the number's unit; 0: each event is a full pulse
    InputPulse pulse;
} PulseRow;

#define NUMBER(name) offsetof(EventNumbers, name)

static const PulseRow rows[] = {
    {INCIDENT_TOUCH, NUMBER(impulse), 10e3, {1.0, 0.4, 0.25}}, // 22 t at half a metre a second
    {INCIDENT_SLAM, NUMBER(speed), 0.5, {0.7, 0.2, 0.15}},
    {INCIDENT_PERSON_HIT, 0, 0.0, {1.0, 1.0, 0.6}},
    {INCIDENT_TIP_BEGINS, 0, 0.0, {0.6, 0.6, 0.6}},
    {INCIDENT_TIP_ENDS, 0, 0.0, {0.8, 0.2, 0.2}},
    {INCIDENT_TIPPED_OVER, 0, 0.0, {1.0, 1.0, 1.0}},
    {INCIDENT_LIFTED, 0, 0.0, {0.4, 0.1, 0.3}},
    {INCIDENT_FELL_INTO_HOLE, 0, 0.0, {1.0, 0.5, 0.5}},
    {INCIDENT_TRACK_OFF_EDGE, 0, 0.0, {0.5, 0.2, 0.4}},
};

InputPulse event_pulse(const ExerciseEvent *event)
{
    InputPulse pulse = {0};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const PulseRow *row = &rows[k];
        if (event->kind != (int32_t)row->incident) {
            continue;
        }
        double share = 1.0;
        if (row->full > 0.0) {
            double number = *(const double *)(const void *)((const char *)&event->number + row->number);
            share = fmax(LEAST, fmin(fabs(number) / row->full, 1.0));
        }
        pulse = (InputPulse){share * row->pulse.low, share * row->pulse.high, row->pulse.time};
    }
    return pulse;
}

InputPulse event_pulse_slip(void)
{
    return (InputPulse){.low = 0.0, .high = 0.6, .time = 0.3};
}
