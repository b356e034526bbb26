/// Orders of an instructor during a session: faults of the machine, trucks that stop, a person who walks in. An order
/// takes effect between two ticks; it is recorded, and a replay gives it again at the same tick.
///
/// docs/machine-model.md, "Faults", says what each fault does. Plain data: nothing is owned, any thread.
#ifndef SPADEWORK_TRAINER_SESSION_ORDER_H
#define SPADEWORK_TRAINER_SESSION_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/state_visitor.h"
#include "data/core/status.h"
#include "data/schema/machine_params.h"
#include "data/schema/scene_params.h"
#include "machine/machine.h"
#include "trainer/sim/exercise.h"

/// What the part of an order names.
typedef enum OrderPart {
    ORDER_OF_MACHINE, ///< nothing: the part is 0
    ORDER_OF_FUNCTION, ///< a joint of the machine (0..MACHINE_MAX_JOINTS - 1), then its left and its right track
    ORDER_OF_TRUCK, ///< a truck of the scene that has a driver, from 0
    ORDER_OF_WALKER, ///< nothing: the part is ORDER_WALKS_ROUND, in older recordings ORDER_WALKS_STRAIGHT
} OrderPart;

/// How a person walks in: round obstacles, or straight through them. The latter is accepted but never offered:
/// recordings of format 13 have it.
enum { ORDER_WALKS_STRAIGHT, ORDER_WALKS_ROUND };

/// The faults: name in C, name in files, unit of the value, its range, the value that ends the fault (allowed beside
/// the range), whether the value is only one of the range's two ends, what the part names.
#define SESSION_FAULTS(X)                                                                                              \
    X(PRESSURE, pressure, "", 0.0, 1.0, 1.0, false, ORDER_OF_MACHINE) /* share of the relief pressure left */          \
    X(SWING, swing, "", 0.0, 1.0, 1.0, false, ORDER_OF_MACHINE) /* share of the swing's speed left */                  \
    X(HEAT, heat, "K", 0.0, MACHINE_OIL_HEAT_MOST, 0.0, false, ORDER_OF_MACHINE) /* how much too hot the oil is */     \
    X(VALVE, valve, "", 0.0, 1.0, 0.0, true, ORDER_OF_FUNCTION) /* 1: the valve is stuck where it stands */            \
    X(FUNCTION, function, "", 0.0, 1.0, 0.0, true, ORDER_OF_FUNCTION) /* 1: the function gives nothing */              \
    X(ENGINE, engine, "", 0.0, 1.0, 0.0, true, ORDER_OF_MACHINE) /* 1: the engine stops; 0: it is started */           \
    X(SIGHT, sight, "m", 20.0, 50000.0, 0.0, false, ORDER_OF_MACHINE) /* how far one sees; 0: as the scene has it */   \
    X(TRUCK, truck, "", 0.0, 1.0, 0.0, true, ORDER_OF_TRUCK) /* 1: the driver stops where he is */                     \
    X(PERSON, person, "m", 3.0, 20.0, 0.0, false, ORDER_OF_WALKER) /* somebody walks up to so near; 0: goes away */

typedef enum SessionFault {
#define X(id, name, unit, low, high, sound, ends, part) SESSION_FAULT_##id,
    SESSION_FAULTS(X)
#undef X
        SESSION_FAULT_COUNT
} SessionFault;

/// Orders that may be given before one tick: an instructor gives one now and then.
enum { ORDER_PARTS = MACHINE_MAX_JOINTS + 2, ORDER_NAME = 48, SESSION_ORDERS_A_TICK = 16 };

/// A row of SESSION_FAULTS.
typedef struct SessionFaultKind {
    const char *name, *unit; ///< unit: "" = none
    double low, high; ///< of the value, in its unit
    double sound; ///< the value that ends the fault, in its unit; always allowed
    bool ends; ///< the value is `low` or `high`, and nothing between
    OrderPart part;
} SessionFaultKind;
/// fault  0..SESSION_FAULT_COUNT - 1. Valid for ever.
const SessionFaultKind *session_fault_kind(SessionFault fault);
/// SESSION_FAULT_COUNT: there is none of that name.
SessionFault session_fault_named(const char *name);

/// One order.
typedef struct SessionOrder {
    int32_t fault; ///< SessionFault
    int32_t part; ///< as the fault's OrderPart says
    double value; ///< in the fault's unit and range
} SessionOrder;

/// Name of a part, "boom", "left track", "2" of a truck; false where the machine or the scene has none of that number.
bool session_order_part(SessionFault fault, int part, const SceneParams *scene, const MachineParams *machine,
                        char name[ORDER_NAME]);
/// The part of that name; ORDER_PARTS, which session_order_check refuses, where there is none.
int session_order_part_named(SessionFault fault, const char *name, const SceneParams *scene,
                             const MachineParams *machine);
/// True when the scene and its machine have what the order names, and the value is in its range; else `status`
/// (STATUS_BAD_USAGE) says the fault, what was read and what is allowed.
bool session_order_check(const SessionOrder *order, const SceneParams *scene, const MachineParams *machine,
                         Status *status);
/// The event of an order that was checked: kind "fault", its form, part and number. tick  in which it was given
void session_order_event(const SessionOrder *order, const SceneParams *scene, const MachineParams *machine,
                         int64_t tick, ExerciseEvent *event);

/// What is ordered now: state of the session. Parts that a fault does not name keep the sound value.
typedef struct SessionOrders {
    double value[SESSION_FAULT_COUNT][ORDER_PARTS]; ///< in the unit of the fault
} SessionOrders;

/// Everything in order.
void session_orders_clear(SessionOrders *orders);
/// True when any fault acts.
bool session_orders_act(const SessionOrders *orders);
/// Takes in an order that was checked.
void session_orders_apply(SessionOrders *orders, const SessionOrder *order);
/// The machine's faults among them.
MachineFaults session_orders_machine(const SessionOrders *orders);
/// How far one sees, m; 0: as the scene has it. For drawing alone.
double session_orders_sight(const SessionOrders *orders);
/// How near to the machine a person walks up, m; 0: none does.
double session_orders_walker(const SessionOrders *orders);
bool session_orders_walks_round(const SessionOrders *orders); ///< the person who walks up goes round obstacles
/// True when a truck's driver is ordered to stop. truck  0..SCENE_MAX_TRUCKS - 1
bool session_orders_hold(const SessionOrders *orders, int truck);
/// Visits the state: faults, then the walker. Without orders there are no fields of them: such a session has the same
/// state as before orders existed. A restoring visitor says by `holds` whether the fields come.
void session_orders_visit(SessionOrders *orders, StateVisitor *visitor);

/// ---- lists of orders with their times ------------------------------------------------------------------------------
///
/// A list of orders in a file, for lessons and tests: CSV with the columns t, fault, part and value.
///
///     t,fault,part,value
///     5,valve,boom,1
///     12.5,pressure,,0.5
///
/// An order is given before the first tick that begins at its time t (s, 0..1e6, in ascending order) or later. Faults
/// are those of SESSION_FAULTS; the part is the function's name ("boom", "left track"), the truck's number, or empty.

typedef struct OrderScript OrderScript;

/// Reads a list for a scene and its machine. NULL with `status` (STATUS_BAD_FILE) when the file is not right: the text
/// names file:line:column, what was read and what is allowed. The caller frees it.
OrderScript *order_script_load(const char *path, const SceneParams *scene, const MachineParams *machine,
                               Status *status);
void order_script_destroy(OrderScript *script); ///< NULL is nothing
/// Goes to the first order whose time is `time` (s) or later; before the first call it stands at the first of all. NULL
/// is nothing.
void order_script_seek(OrderScript *script, double time);
/// Takes the next order that is due at `time` (s); NULL when none is, and for NULL. Valid as long as the script.
const SessionOrder *order_script_take(OrderScript *script, double time);

#endif
