/// The keys of a dump truck and the rules between them: what its measures, masses and speeds say must fit together.
#include "data/core/constants.h"
#include "data/schema/machine_keys.h"
#include "data/schema/truck_params.h"

static const DataKey bed_keys[] = {
    ROW_NUMBER("length", TruckBed, length, 2, 10, 1, "m: of its floor"),
    ROW_NUMBER("width", TruckBed, width, 1.5, 5, 1, "m: between its side walls"),
    ROW_NUMBER("height", TruckBed, height, 0.3, 3, 1, "m: of the side walls over the floor"),
    ROW_NUMBER("tail_height", TruckBed, tail_height, 0.1, 3, 1, "m: of the tail over the floor"),
    ROW_NUMBER("floor_height", TruckBed, floor_height, 0.5, 3, 1, "m: of the floor over the ground"),
    ROW_NUMBER("capacity", TruckBed, capacity, 0.5, 200, 1, "m3: heaped"),
    ROW_END,
};

static const DataKey chassis_keys[] = {
    ROW_NUMBER("front_share", TruckChassis, front_share, 0.2, 0.8, 1,
               "share: of the empty truck's mass on the front axle"),
    ROW_NUMBER("center_height", TruckChassis, center_height, 0.3, 4, 1,
               "m: of the empty truck's centre of mass over the ground"),
    ROW_TUPLE("inertia_size", TruckChassis, inertia_size, double, 3, 0.5, 20, 1,
              "m: length, width and height of a box with the same inertia"),
    ROW_NUMBER("gauge", TruckChassis, gauge, 0.8, 5, 1, "m: between the middles of left and right tyres"),
    ROW_NUMBER("front_stiffness", TruckChassis, front_stiffness, 1e4, 5e7, 1,
               "N/m: of a side's springs and tyres in front"),
    ROW_NUMBER("rear_stiffness", TruckChassis, rear_stiffness, 1e4, 5e7, 1,
               "N/m: of a side's springs and tyres behind"),
    ROW_NUMBER("damping_ratio", TruckChassis, damping_ratio, 0.05, 1, 1,
               "ratio: of the empty truck on its springs to critical damping"),
    ROW_NUMBER("tyre_stiffness", TruckChassis, tyre_stiffness, 1e4, 5e7, 1,
               "N/m: of the tyres of one support along the ground"),
    ROW_NUMBER("tyre_friction", TruckChassis, tyre_friction, 0.1, 2, 1, "ratio: of the tyres' grip to their load"),
    ROW_NUMBER("front_limit", TruckChassis, front_limit, 500, 500000, 1, "kg: that the front axle may carry"),
    ROW_NUMBER("rear_limit", TruckChassis, rear_limit, 500, 500000, 1, "kg: that the rear axles may carry together"),
    ROW_END,
};

static const DataKey drive_keys[] = {
    ROW_NUMBER("speed_empty_kmh", TruckDrive, speed_empty, 1, 80, UNIT_KMH, "km/h: on the road, without a load"),
    ROW_NUMBER("speed_loaded_kmh", TruckDrive, speed_loaded, 1, 80, UNIT_KMH,
               "km/h: on the road, with the full payload"),
    ROW_NUMBER("speed_reverse_kmh", TruckDrive, speed_reverse, 0.5, 30, UNIT_KMH, "km/h: backwards"),
    ROW_NUMBER("acceleration", TruckDrive, acceleration, 0.1, 2, 1, "m/s2: when it speeds up"),
    ROW_NUMBER("braking", TruckDrive, braking, 0.1, 2, 1, "m/s2: when it slows down"),
    ROW_NUMBER("cornering", TruckDrive, cornering, 0.1, 2, 1, "m/s2: most sideways"),
    ROW_NUMBER("turning_radius", TruckDrive, turning_radius, 3, 30, 1, "m: of the middle between the rear wheels"),
    ROW_END,
};

static const DataKey tip_keys[] = {
    ROW_NUMBER("angle_deg", TruckTip, angle, 20, 75, UNIT_DEG, "deg: of the raised bed"),
    ROW_NUMBER("raise_time", TruckTip, raise_time, 3, 120, 1, "s: that the bed takes to rise"),
    ROW_NUMBER("lower_time", TruckTip, lower_time, 3, 120, 1, "s: that the bed takes to come down"),
    ROW_END,
};

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", TruckParams, title, "shown in lists"),
    ROW_NUMBER("tare_mass", TruckParams, tare, 1000, 500000, 1, "kg: of the empty truck"),
    ROW_NUMBER("payload", TruckParams, payload, 500, 500000, 1, "kg: that it may carry"),
    ROW_MAPPING("bed", TruckParams, bed, bed_keys, "the open box that is loaded"),
    ROW_NUMBER("front", TruckParams, front, 2, 15, 1, "m: from the bed's middle to the front bumper"),
    ROW_NUMBER("rear_axle", TruckParams, rear_axle, -8, 8, 1, "m: middle of the rear axles, ahead of the bed's middle"),
    ROW_NUMBER("wheelbase", TruckParams, wheelbase, 1.5, 12, 1,
               "m: from the middle of the rear axles to the front axle"),
    ROW_NUMBER("wheel_diameter", TruckParams, wheel_diameter, 0.4, 4, 1, "m: of the wheels"),
    ROW_MAPPING("chassis", TruckParams, chassis, chassis_keys, "how it stands on springs and tyres"),
    ROW_MAPPING("drive", TruckParams, drive, drive_keys, "how it drives"),
    ROW_MAPPING("tip", TruckParams, tip, tip_keys, "how its bed tips"),
    ROW_END,
};

static bool check_bed(Document *document, const TruckParams *params, Status *status)
{
    const double least_density = 300.0, most_density = 4000.0; // kg/m3 of what is hauled
    const double most_heap = 1.6; // of a bed's own volume that lies in it when it is heaped
    const TruckBed *bed = &params->bed;
    if (!(bed->tail_height <= bed->height)) {
        return document_fail_at(document, "bed.tail_height", status, "read %.6g, allowed up to height (%.6g)",
                                bed->tail_height, bed->height);
    }
    double volume = bed->length * bed->width * bed->height;
    if (!(bed->capacity <= most_heap * volume)) {
        return document_fail_at(document, "bed.capacity", status,
                                "read %.6g, allowed up to %.4g: a bed of %.4g x %.4g x %.4g m holds no more",
                                bed->capacity, most_heap * volume, bed->length, bed->width, bed->height);
    }
    double density = params->payload / bed->capacity;
    if (!(density >= least_density && density <= most_density)) {
        return document_fail_at(document, "payload", status,
                                "read %.6g, allowed %.6g to %.6g: the heaped bed would weigh %.4g kg a cubic metre",
                                params->payload, least_density * bed->capacity, most_density * bed->capacity, density);
    }
    return true;
}

/// An empty truck is made of steel, and carries at most three times what it weighs; haulers carry up to 1.6 times.
static bool check_tare(Document *document, const TruckParams *params, Status *status)
{
    const double most = 3.0;
    if (!(params->payload <= most * params->tare)) {
        return document_fail_at(document, "tare_mass", status,
                                "read %.6g, allowed from %.6g on: a truck carries up to "
                                "%.6g times its own mass (payload %.6g)",
                                params->tare, params->payload / most, most, params->payload);
    }
    return machine_check_density(document, "tare_mass", params->tare, params->chassis.inertia_size, status);
}

static bool check_chassis(Document *document, const TruckParams *params, Status *status)
{
    const TruckBed *bed = &params->bed;
    double half = 0.5 * bed->length;
    if (!(params->front > half)) {
        return document_fail_at(document, "front", status, "read %.6g, allowed more than half of bed.length (%.6g)",
                                params->front, half);
    }
    if (!(params->rear_axle >= -half && params->rear_axle <= half)) {
        return document_fail_at(document, "rear_axle", status, "read %.6g, allowed %.6g to %.6g (under the bed)",
                                params->rear_axle, -half, half);
    }
    if (!(params->rear_axle + params->wheelbase <= params->front)) {
        return document_fail_at(document, "wheelbase", status,
                                "read %.6g, allowed up to %.6g: the front axle lies behind the bumper",
                                params->wheelbase, params->front - params->rear_axle);
    }
    if (!(params->wheel_diameter < bed->floor_height)) {
        return document_fail_at(document, "wheel_diameter", status,
                                "read %.6g, allowed less than bed.floor_height (%.6g)", params->wheel_diameter,
                                bed->floor_height);
    }
    return true;
}

/// Axles bear the empty truck, and its springs are soft enough for the step of the rigid bodies.
static bool check_springs(Document *document, const TruckParams *params, Status *status)
{
    const double fastest = 100.0; // rad/s of a mass on a spring: a fifth of a step's 1/480 s at most
    const TruckChassis *c = &params->chassis;
    if (!(c->gauge <= params->bed.width)) {
        return document_fail_at(document, "chassis.gauge", status, "read %.6g, allowed up to bed.width (%.6g)",
                                c->gauge, params->bed.width);
    }
    const double front = c->front_share * params->tare, rear = params->tare - front;
    const struct {
        const char *limit, *spring;
        double most, stiffness, mass;
    } axle[2] = {{"chassis.front_limit", "chassis.front_stiffness", c->front_limit, c->front_stiffness, front},
                 {"chassis.rear_limit", "chassis.rear_stiffness", c->rear_limit, c->rear_stiffness, rear}};
    for (int k = 0; k < 2; k++) {
        if (!(axle[k].most > axle[k].mass)) {
            return document_fail_at(document, axle[k].limit, status,
                                    "read %.6g, allowed more than its share of tare_mass (%.6g)", axle[k].most,
                                    axle[k].mass);
        }
        double stiffest = 0.5 * axle[k].mass * fastest * fastest;
        if (!(axle[k].stiffness <= stiffest)) {
            return document_fail_at(document, axle[k].spring, status,
                                    "read %.6g, allowed up to %.6g: %.6g kg on it would swing too fast",
                                    axle[k].stiffness, stiffest, 0.5 * axle[k].mass);
        }
    }
    double stiffest = 0.25 * params->tare * fastest * fastest;
    if (!(c->tyre_stiffness <= stiffest)) {
        return document_fail_at(document, "chassis.tyre_stiffness", status, "read %.6g, allowed up to %.6g",
                                c->tyre_stiffness, stiffest);
    }
    return true;
}

static bool check_truck(Document *document, const void *data, Status *status)
{
    const double sharpest = 0.8; // of the wheelbase: front wheels turned by 51 degrees
    const TruckParams *params = data;
    const TruckDrive *drive = &params->drive;
    if (!check_bed(document, params, status) || !check_tare(document, params, status) ||
        !check_chassis(document, params, status) || !check_springs(document, params, status)) {
        return false;
    }
    if (!(drive->speed_loaded <= drive->speed_empty)) {
        return document_fail_at(document, "drive.speed_loaded_kmh", status,
                                "read %.6g, allowed up to speed_empty_kmh (%.6g)", drive->speed_loaded / UNIT_KMH,
                                drive->speed_empty / UNIT_KMH);
    }
    if (!(drive->turning_radius >= sharpest * params->wheelbase)) {
        return document_fail_at(document, "drive.turning_radius", status,
                                "read %.6g, allowed at least %.6g (%.6g times the wheelbase)", drive->turning_radius,
                                sharpest * params->wheelbase, sharpest);
    }
    return true;
}

const DataSchema data_truck_schema = {.kind = "truck",
                                      .folder = "machines",
                                      .keys = keys,
                                      .size = sizeof(TruckParams),
                                      .name_size = KEY_SIZE(TruckParams, name),
                                      .check = check_truck};
