/// Telemetry of a real session: its columns, its numbers, a disk that is full.
#include <unistd.h>

#include "tests/support/test.h"
#include "trainer/report/output_file.h"
#include "trainer/report/telemetry.h"

static const MachineParams no_machine; ///< without joints

/// The contract with scripts: names and order.
static const char columns[] =
    "tick,t,swing,boom,stick,bucket,tip_x,tip_y,tip_z,base_x,base_y,base_z,yaw,pitch,roll,"
    "boom_pressure,stick_pressure,bucket_pressure,swing_pressure,pump_power,engine_speed,fuel,"
    "tool_fx,tool_fy,tool_fz,tool_mx,tool_my,tool_mz,payload,ground_mass,particle_mass,body_mass,left_mass,total_mass,"
    "particles,contacts,active_columns,crowding,hastened,left_slip,right_slip,limit,limits,relief,"
    "seat_ax,seat_ay,seat_az,seat_roll_rate,seat_pitch_rate,seat_yaw_rate,seat_vibration,score,events,held,"
    "truck,truck_load,truck_front,truck_rear,truck_left,truck_right,"
    "tool_load,solid_fx,solid_fy,solid_fz,sling_fx,sling_fy,sling_fz,blow_fx,blow_fy,blow_fz,"
    "engine,safety_lever,travel_range,power_mode,auto_idle,lights,wiper,oil_c,on_foot,foot_x,foot_y,coupler,tool,"
    "soil_ms,machine_ms,tick_ms\n";

enum { COLUMNS = 86, COLUMN_TICK = 0, COLUMN_TIME = 1, COLUMN_TIP_Z = 8, COLUMN_TOTAL = 33, COLUMN_LIMIT = 41 };

/// A bulldozer's joints have their own names.
static const char blade_columns[] =
    "tick,t,ripper,blade_lift,blade_angle,blade_tilt,tip_x,tip_y,tip_z,base_x,base_y,base_z,yaw,pitch,roll,"
    "blade_lift_pressure,blade_angle_pressure,blade_tilt_pressure,ripper_pressure,pump_power,";

static Session *make_session(const char *scene)
{
    static const char *const set[] = {"ground.size_x=26", "ground.size_y=26"};
    SessionParams params = {.scene = scene, .set = set, .set_count = strcmp(scene, "free") == 0 ? 2 : 0, .threads = 1};
    Status status;
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

static void make_path(char path[64])
{
    snprintf(path, 64, "telemetry-test-%ld.csv", (long)getpid());
}

/// Splits a line in place; returns how many columns it has.
static int split(char *line, const char *values[COLUMNS])
{
    int count = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *at = line; at != NULL; count++) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma++ = '\0';
        }
        if (count < COLUMNS) {
            values[count] = at;
        }
        at = comma;
    }
    return count;
}

TEST(test_rows)
{
    char path[64], line[4096], total[64] = "";
    const char *values[COLUMNS] = {NULL};
    Status status;
    make_path(path);
    Session *session = make_session("free");
    Telemetry *telemetry = telemetry_create(path, session_machine_params(session), &status);
    assert_non_null(telemetry);
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_BOOM] = CONTROL_FULL;
    double tip_z[5];
    for (int k = 0; k < 5; k++) {
        session_tick(session, &controls);
        tip_z[k] = session_frame(session)->machine.tip.z;
        assert_true(telemetry_tick(telemetry, session, &status));
    }
    assert_true(telemetry_close(telemetry, &status));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, columns);
    for (int k = 0; k < 5; k++) {
        assert_non_null(fgets(line, sizeof line, file));
        assert_int_equal(split(line, values), COLUMNS);
        assert_int_equal(strtol(values[COLUMN_TICK], NULL, 10), k + 1);
        assert_true(fabs(strtod(values[COLUMN_TIME], NULL) - (k + 1) / 60.0) < 1e-9);
        assert_true(fabs(strtod(values[COLUMN_TIP_Z], NULL) - tip_z[k]) < 1e-8);
        assert_string_equal(values[COLUMN_LIMIT], machine_limit_names[session_frame(session)->machine.limit]);
        // Every quantum shows: four decimals of a kilogram.
        assert_int_equal(strlen(strchr(values[COLUMN_TOTAL], '.')), 5);
        if (k > 0) {
            assert_string_equal(values[COLUMN_TOTAL], total);
        }
        snprintf(total, sizeof total, "%s", values[COLUMN_TOTAL]);
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
    SoilLedger ledger = session_frame(session)->ledger;
    assert_true(fabs(strtod(total, NULL) - (double)ledger.total * SOIL_QUANTUM) < 1e-3);
    session_destroy(session);
    unlink(path);
}

/// Pulls the boom into its end: its relief valve opens, and the row names it.
static void last_row(const char *scene, ControlAxis axis, int ticks, char line[4096], char head[4096])
{
    char path[64];
    Status status;
    make_path(path);
    Session *session = make_session(scene);
    Telemetry *telemetry = telemetry_create(path, session_machine_params(session), &status);
    assert_non_null(telemetry);
    OperatorControls controls = control_neutral;
    controls.axis[axis] = CONTROL_FULL;
    for (int k = 0; k < ticks; k++) {
        session_tick(session, &controls);
        assert_true(telemetry_tick(telemetry, session, &status));
    }
    assert_true(telemetry_close(telemetry, &status));
    session_destroy(session);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(head, 4096, file));
    while (fgets(line, 4096, file) != NULL) {
    }
    fclose(file);
    unlink(path);
}

TEST(test_limits_and_who_is_at_relief)
{
    char line[4096], head[4096];
    const char *values[COLUMNS] = {NULL};
    last_row("free", CONTROL_BOOM, 360, line, head);
    assert_int_equal(split(line, values), COLUMNS);
    assert_string_equal(values[COLUMN_LIMIT], "relief");
    assert_string_equal(values[COLUMN_LIMIT + 1], "relief");
    assert_string_equal(values[COLUMN_LIMIT + 2], "boom");
    last_row("slot-dozing", CONTROL_BLADE, 240, line, head);
    assert_int_equal(strncmp(head, blade_columns, strlen(blade_columns)), 0);
    assert_non_null(strstr(head, ",blow_fz,ripper_fx,ripper_fy,ripper_fz,engine,"));
    assert_int_equal(split(line, values), COLUMNS + 3);
    assert_string_equal(values[COLUMN_LIMIT + 2], "blade_lift");
}

TEST(test_unwritable)
{
    Status status;
    assert_null(telemetry_create("no/such/folder/t.csv", &no_machine, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    assert_non_null(strstr(status.text, "no/such/folder/t.csv"));
}

/// A device that is always full: the first flush, at the latest after a simulated second, must tell.
/// A slip of the keyboard must not turn a scene or a recording into telemetry.
TEST(test_other_files_are_left_alone)
{
    char path[64], text[32] = "";
    make_path(path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("kind: scene\n", file);
    fclose(file);
    Status status;
    assert_null(telemetry_create(path, &no_machine, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    assert_non_null(strstr(status.text, "is left as it is"));
    assert_false(output_may_replace(path, OUTPUT_PICTURE, &status));
    file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "kind: scene\n");
    remove(path);
}

TEST(test_full_disk)
{
    Status status = {STATUS_GOOD, ""};
    if (access("/dev/full", W_OK) != 0) {
        skip();
    }
    Telemetry *telemetry = telemetry_create("/dev/full", &no_machine, &status);
    assert_null(telemetry); // the header is written out at once
    assert_int_equal(status.code, STATUS_LACKING);
    assert_non_null(strstr(status.text, "/dev/full"));
    assert_true(telemetry_close(NULL, &status));
}

TEST_GROUP(NULL, NULL)
