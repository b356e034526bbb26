/// CSV that people write: an operator's levers, or, behind a first byte that names a scene, an instructor's orders.
#include <string.h>

#include "data/schema/load.h"
#include "input/input.h"
#include "tests/fuzz/fuzz.h"
#include "trainer/sim/session_order.h"

static void read_levers(const uint8_t *data, size_t size)
{
    char path[96];
    Status status = {STATUS_GOOD, ""};
    fuzz_write(fuzz_path("levers.csv", path), data, size);
    InputScript *script = input_script_load(path, &status);
    require(script != NULL || status.text[0] != '\0');
    if (script == NULL) {
        return;
    }
    double end = input_script_duration(script);
    require(end >= 0.0 && end <= 1e6);
    for (int k = -1; k <= 16; k++) {
        OperatorControls controls;
        input_script_get(script, end * k / 16.0, &controls);
        for (int axis = 0; axis < CONTROL_COUNT; axis++) {
            double value = control_value(&controls, (ControlAxis)axis);
            require(value >= -1.0 && value <= 1.0);
        }
    }
    input_script_destroy(script);
}

/// A site on which something is ordered, with what was ordered until now.
typedef struct OrderSite {
    bool loaded;
    SceneParams scene;
    MachineParams machine;
    SessionOrders orders;
} OrderSite;

/// What was read is what a session takes, and has something to tell.
static void take(OrderSite *site, const SessionOrder *order)
{
    Status status = {STATUS_GOOD, ""};
    ExerciseEvent event;
    require(session_order_check(order, &site->scene, &site->machine, &status));
    session_order_event(order, &site->scene, &site->machine, 1, &event);
    require(event_check(&event, NULL, &status));
    session_orders_apply(&site->orders, order);
    MachineFaults faults = session_orders_machine(&site->orders);
    require(faults.pressure >= 0.0 && faults.pressure <= 1.0 && faults.swing >= 0.0 && faults.swing <= 1.0);
    require(faults.oil_heat >= 0.0 && faults.oil_heat <= MACHINE_OIL_HEAT_MOST);
}

/// Takes the orders as time goes on, in ever longer steps; returns how many came.
static int take_all(OrderScript *script, OrderSite *site)
{
    int taken = 0;
    session_orders_clear(&site->orders);
    for (double time = 0.0; time < 4e6; time = 2.0 * time + 1.0 / 60.0) {
        const SessionOrder *order;
        while ((order = order_script_take(script, time)) != NULL) {
            take(site, order);
            taken++;
        }
    }
    return taken;
}

static void read_orders(const char *scene, OrderSite *site, const uint8_t *data, size_t size)
{
    char path[96];
    Status status = {STATUS_GOOD, ""};
    site->loaded = site->loaded || data_load_scene(scene, NULL, 0, &site->scene, &site->machine, NULL, &status);
    require(site->loaded);
    fuzz_write(fuzz_path("orders.csv", path), data, size);
    OrderScript *script = order_script_load(path, &site->scene, &site->machine, &status);
    require(script != NULL || status.text[0] != '\0');
    if (script != NULL) {
        int taken = take_all(script, site);
        order_script_seek(script, 0.0);
        require(take_all(script, site) == taken);
    }
    order_script_destroy(script);
}

/// `H`: orders in `haul`, which has trucks; `S`: in `slot-dozing`, whose machine has no swing; else levers.
void fuzz_script(const uint8_t *data, size_t size)
{
    static OrderSite haul, slot;
    if (size > 0 && data[0] == 'H') {
        read_orders("haul", &haul, data + 1, size - 1);
    } else if (size > 0 && data[0] == 'S') {
        read_orders("slot-dozing", &slot, data + 1, size - 1);
    } else {
        read_levers(data, size);
    }
}
