/// Valves, spools, pumps and the engine's governor: flow shared by need, pressure limited by relief, power by the
/// engine. What is expected follows from areas, flows and pressures of the machine's file.
// test: sanitized
#include "data/schema/machine_params.h"
#include "tests/support/machine_fixture.h"

#include "machine/cylinder.h"
#include "machine/drive/drive.h"

TEST(the_dead_band_is_dead_and_the_end_is_full)
{
    assert_near(hydraulics_dead_band(0.05, 0.05), 0.0, 0.0);
    assert_near(hydraulics_dead_band(-0.04, 0.05), 0.0, 0.0);
    assert_near(hydraulics_dead_band(1.0, 0.05), 1.0, 1e-12);
    assert_near(hydraulics_dead_band(-1.0, 0.3), -1.0, 1e-12);
    assert_near(hydraulics_dead_band(-0.525, 0.05), -0.5, 1e-12);
}

TEST(a_spool_lags_and_shuts_exactly)
{
    double spool = 0.0;
    for (int i = 0; i < 48; i++) { // one time constant of 0.1 s
        spool = hydraulics_spool(spool, 1.0, 0.1, step_time);
    }
    assert_near(spool, 1.0 - exp(-1.0), 0.01);
    for (int i = 0; i < 480; i++) {
        spool = hydraulics_spool(spool, 0.0, 0.1, step_time);
    }
    assert_true(spool == 0.0);
}

TEST(areas_and_pressures)
{
    MachineCylinder cylinder = {.count = 2, .bore = 0.12, .rod = 0.085};
    double bore = 2.0 * M_PI / 4.0 * 0.0144, ring = bore - 2.0 * M_PI / 4.0 * 0.085 * 0.085;
    assert_near(cylinder_area(&cylinder, true), bore, 1e-12);
    assert_near(cylinder_area(&cylinder, false), ring, 1e-12);
    assert_near(cylinder_pressure(&cylinder, 1e5), 1e5 / bore, 1e-3);
    assert_near(cylinder_pressure(&cylinder, -1e5), 1e5 / ring, 1e-3);
}

static HydraulicSupply share(const MachineParams *params, const HydraulicLoad loads[HYDRAULIC_COUNT], double speed)
{
    HydraulicSupply supply;
    hydraulics_share(params, loads, speed, params->engine.rated_speed, &supply);
    return supply;
}

static double pump_flow_of(const MachineParams *params, const HydraulicSupply *supply)
{
    double flow = 0.0;
    for (int k = EXCAVATOR_JOINT_BOOM; k <= EXCAVATOR_JOINT_BUCKET; k++) {
        double speed = supply->speed[k];
        flow += fabs(speed) * cylinder_area(function_cylinder(params, k), speed > 0.0);
    }
    return flow;
}

TEST(one_function_takes_its_share_and_all_together_the_pumps)
{
    MachineParams params = shipped_params();
    double rated = params.engine.rated_speed, pump = params.hydraulics.pump_flow;
    HydraulicLoad loads[HYDRAULIC_COUNT] = {{0.0, 0.0}};
    loads[EXCAVATOR_JOINT_BOOM].opening = 1.0;
    HydraulicSupply alone = share(&params, loads, rated);
    assert_near(pump_flow_of(&params, &alone), 2.0 * pump, 1e-9);
    HydraulicSupply slow = share(&params, loads, 0.95 * rated);
    assert_near(slow.speed[EXCAVATOR_JOINT_BOOM], 0.95 * alone.speed[EXCAVATOR_JOINT_BOOM], 1e-9);

    loads[EXCAVATOR_JOINT_STICK].opening = 1.0;
    loads[EXCAVATOR_JOINT_BUCKET].opening = -1.0;
    HydraulicSupply together = share(&params, loads, rated);
    assert_near(pump_flow_of(&params, &together), 2.0 * pump, 1e-9);
    assert_true(together.speed[EXCAVATOR_JOINT_BOOM] < 0.5 * alone.speed[EXCAVATOR_JOINT_BOOM]);
    assert_true(together.speed[EXCAVATOR_JOINT_BUCKET] < 0.0);
    assert_true(together.speed[EXCAVATOR_JOINT_SWING] == 0.0);
}

TEST(the_engine_limits_flow_times_pressure)
{
    MachineParams params = shipped_params();
    HydraulicLoad loads[HYDRAULIC_COUNT] = {{0.0, 0.0}};
    loads[EXCAVATOR_JOINT_STICK] = (HydraulicLoad){1.0, 500e3}; // 32 MPa
    HydraulicSupply supply = share(&params, loads, params.engine.rated_speed);
    assert_true(supply.limited);
    assert_near(supply.power, params.engine.power, 1.0);
    assert_true(supply.speed[EXCAVATOR_JOINT_STICK] * 500e3 < params.engine.power * params.hydraulics.efficiency);
    HydraulicSupply lugged = share(&params, loads, 0.85 * params.engine.rated_speed);
    assert_true(lugged.power < 0.5 * supply.power); // pulled down, the pumps give way

    loads[EXCAVATOR_JOINT_STICK].force = -500e3; // the load helps: no pressure needed
    HydraulicSupply helped = share(&params, loads, params.engine.rated_speed);
    assert_false(helped.limited);
    assert_true(helped.speed[EXCAVATOR_JOINT_STICK] > 2.0 * supply.speed[EXCAVATOR_JOINT_STICK]);
}

TEST(a_loaded_boom_falls_faster_than_the_pumps_lower_it)
{
    MachineParams params = shipped_params();
    HydraulicLoad loads[HYDRAULIC_COUNT] = {{0.0, 0.0}};
    loads[EXCAVATOR_JOINT_BOOM] = (HydraulicLoad){-1.0, 2e5};
    double falling = share(&params, loads, params.engine.rated_speed).speed[EXCAVATOR_JOINT_BOOM];
    loads[EXCAVATOR_JOINT_BOOM].force = -2e5; // pushed down against the ground
    double pushed = share(&params, loads, params.engine.rated_speed).speed[EXCAVATOR_JOINT_BOOM];
    assert_true(pushed < 0.0);
    assert_near(falling / pushed, params.hydraulics.lowering_ratio, 1e-9);
}

TEST(the_governor_keeps_the_speed_up_to_full_power)
{
    MachineParams params = shipped_params();
    const MachineEngine *engine = &params.engine;
    double target = engine_target_speed(engine, 1.0), speed = target, used = 0.0;
    assert_near(target, engine->rated_speed, 1e-12);
    for (int step = 0; step <= 8; step++) { // evenly from idle to full; beyond is no more
        double even = engine->idle_speed + step / 8.0 * (engine->rated_speed - engine->idle_speed);
        assert_near(engine_target_speed(engine, -1.0 + 0.25 * step), even, 1e-12);
    }
    assert_near(engine_target_speed(engine, 1.5), engine->rated_speed, 1e-12);
    assert_near(engine_target_speed(engine, -1.5), engine->idle_speed, 1e-12);
    for (int i = 0; i < 2000; i++) {
        speed = engine_step(engine, speed, target, 0.9 * engine->power, step_time, &used);
    }
    assert_near(used, 0.9 * engine->power, 100.0);
    assert_true(speed >= target);
    for (int i = 0; i < 2000; i++) {
        speed = engine_step(engine, speed, target, 1.3 * engine->power, step_time, &used);
    }
    assert_true(speed < 0.5 * target); // overloaded it dies away
}

TEST(a_cushion_slows_towards_the_end_and_never_passes_it)
{
    double distance = 0.15, speed = 0.4, last = 9.0;
    for (int i = 0; i < 4800; i++) {
        double allowed = fmin(speed, hydraulics_cushion(0.1, distance, step_time));
        assert_true(allowed <= last + 1e-12);
        last = allowed;
        distance -= allowed * step_time;
        assert_true(distance >= -1e-12);
    }
    assert_near(distance, 0.0, 1e-9);
    assert_near(hydraulics_cushion(0.1, -0.01, step_time), 0.0, 0.0);
}

TEST_GROUP(NULL, NULL)
