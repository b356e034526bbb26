/// Which faces plates hold, and how the soil presses on them.
#include "soil/exchange/shoring.h"

#include <math.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "soil/exchange/face_age.h"

#define HAND  0.15 ///< m between a plate and a face that it holds. Chosen: the room that crews leave beside a box
#define BELOW 0.61 ///< m that a face may reach below a plate: 2 ft (OSHA 29 CFR 1926.652(g)(2))
#define FACES 0.5 ///< cosine between a plate's normal and a face's: from 60 degrees on it is not before it

enum { PRESSURE_PLACES = 5 }; ///< along a plate

double shoring_toe(const Soil *soil, int row, int column, int step_row, int step_column, double toe)
{
    const Ground *ground = soil->state.grounds.site;
    double held = toe, pitch = ground->spacing * sqrt((double)(step_row * step_row + step_column * step_column));
    for (int k = 0; k < soil->derived.plate_count; k++) {
        const SoilPlate *plate = &soil->derived.plates[k];
        double c = same_cos(plate->heading), s = same_sin(plate->heading);
        double x = ground->origin_x + (column + 0.5 * step_column) * ground->spacing - plate->x;
        double y = ground->origin_y + (row + 0.5 * step_row) * ground->spacing - plate->y;
        double along = fabs(x * c + y * s), across = fabs(y * c - x * s);
        double faces = fabs(step_row * c - step_column * s) * ground->spacing / pitch;
        bool before = along <= 0.5 * (plate->length + ground->spacing) && across <= 0.5 * plate->thickness + HAND;
        if (before && faces >= FACES && plate->bottom <= toe + BELOW && plate->top > held) {
            held = plate->top;
        }
    }
    return held;
}

/// kg/m2 above a height in the column at a place, with what stands there.
static double weight_above(const Soil *soil, double x, double y, double z)
{
    const Ground *ground = soil->state.grounds.site;
    int row, column;
    if (!ground_find_column(ground, x, y, &row, &column)) {
        return 0.0;
    }
    return ground_profile_above(ground, row, column, z).weight / STANDARD_GRAVITY;
}

/// kg/m2 of what stands on the wedge: footprints whose middle is on it, spread over it.
static double standing_on(const Soil *soil, const SoilPlate *plate, double side, double width)
{
    double c = same_cos(plate->heading), s = same_sin(plate->heading), force = 0.0;
    for (int k = 0; k < soil->derived.standing_count; k++) {
        const SoilFootprint *on = &soil->derived.standing[k];
        double x = on->middle.x - plate->x, y = on->middle.y - plate->y;
        double along = x * c + y * s, across = side * (y * c - x * s) - 0.5 * plate->thickness;
        bool here = fabs(along) <= 0.5 * plate->length && across >= 0.0 && across <= width;
        force += here ? on->pressure * on->length * on->width : 0.0;
    }
    return force / (STANDARD_GRAVITY * fmax(width, 0.1) * plate->length);
}

/// Pa: on one side (1: to the left of its heading, -1), at one place along the plate.
static double pressure_at(const Soil *soil, const SoilPlate *plate, double side, double along)
{
    const Ground *ground = soil->state.grounds.site;
    double c = same_cos(plate->heading), s = same_sin(plate->heading), out = 0.5 * plate->thickness + HAND;
    double x = plate->x + along * c, y = plate->y + along * s;
    double behind_x = x - side * (out + ground->spacing) * s, behind_y = y + side * (out + ground->spacing) * c;
    int row, column, foot_row, foot_column;
    if (!ground_find_column(ground, behind_x, behind_y, &row, &column) ||
        !ground_find_column(ground, x, y, &foot_row, &foot_column)) {
        return 0.0;
    }
    double low = fmax(plate->bottom, (double)ground->height[ground_index(ground, foot_row, foot_column)]);
    double depth = (double)ground->height[ground_index(ground, row, column)] - low;
    if (depth <= 0.0) {
        return 0.0;
    }
    GroundProfile profile = ground_profile_above(ground, row, column, low);
    const SoilParams *params = &soil->model.scene.soils[profile.soil];
    double tangent = soil->model.tan_friction[profile.soil], root = sqrt(1.0 + tangent * tangent) - tangent;
    double width = depth * root, weight = 0.0; // sqrt(Ka) = tan(45 - phi / 2)
    int count = (int)(width / ground->spacing) + 1;
    for (int k = 0; k < count; k++) {
        double away = k * ground->spacing;
        weight += weight_above(soil, behind_x - side * away * s, behind_y + side * away * c, low) / count;
    }
    weight += standing_on(soil, plate, side, width);
    int foot = ground_index(ground, foot_row, foot_column);
    double cohesion = face_age_cohesion(&soil->state.face_age, foot, params);
    return fmax(0.0, root * root * STANDARD_GRAVITY * weight - 2.0 * cohesion * root);
}

double shoring_pressure(const Soil *soil, const SoilPlate *plate)
{
    double most = 0.0;
    for (int k = 0; k < 2 * PRESSURE_PLACES; k++) {
        double along = plate->length * ((k / 2 + 0.5) / PRESSURE_PLACES - 0.5);
        most = fmax(most, pressure_at(soil, plate, k % 2 == 0 ? 1.0 : -1.0, along));
    }
    return most;
}
