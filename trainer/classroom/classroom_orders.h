/// Orders to stations: what the page sends is checked and becomes a payload; whether a station took it is told later,
/// by its answer or by its silence. Pure; the caller keeps two threads apart.
#ifndef SPADEWORK_TRAINER_CLASSROOM_ORDERS_H
#define SPADEWORK_TRAINER_CLASSROOM_ORDERS_H

#include "trainer/classroom/classroom_roster.h"
#include "trainer/console/console_commands.h"

#define CLASSROOM_PATIENCE 5.0 ///< s that a station may take to answer

/// Of orders without an answer; bytes of one that is sent to many, with their names; of the id's beginning.
enum { CLASSROOM_PENDING = 1024, CLASSROOM_BODY = 32768, CLASSROOM_MARK = 9 };

typedef struct ClassroomPending {
    int station; ///< its place; -1: this one is free
    long number; ///< of the order
    double until; ///< s of the caller's clock
} ClassroomPending;

typedef struct ClassroomOrders {
    char mark[CLASSROOM_MARK]; ///< of this classroom's ids: letters of one that no other classroom has
    long sent; ///< orders so far
    ClassroomPending pending[CLASSROOM_PENDING];
} ClassroomOrders;

/// mark  1..8 of a-z and 0-9
void classroom_orders_begin(ClassroomOrders *orders, const char *mark);

/// An order as it was sent by the page of all stations: with the key `stations`, a list of names or "all".
typedef struct ClassroomOrder {
    ConsoleCommand command;
    char *payload; ///< of the order alone, without id: owned, free() it
    bool to[CLASSROOM_STATIONS]; ///< by place in the roster
    int count; ///< of these
} ClassroomOrder;
/// Reads the body of an order, [size] bytes. False with `status` (STATUS_BAD_FILE), and nothing is owned.
/// station  its place, where the page of one station sent it; -1: it says to whom it goes
bool classroom_order_read(const char *body, size_t size, int station, const ClassroomRoster *roster,
                          ClassroomOrder *order, Status *status);
/// The payload for one station, with an id of its own, that the caller frees: remembered until it is answered, or
/// CLASSROOM_PATIENCE has passed. NULL when too many wait or memory is short.
/// now  s of the caller's clock
char *classroom_order_payload(ClassroomOrders *orders, const ClassroomOrder *order, int station, double now,
                              char id[CLASSROOM_NAME]);

/// True when an answer is one to an order of this classroom's that still waits, which is forgotten then.
bool classroom_orders_answered(ClassroomOrders *orders, int station, const char *id);
/// Forgets the orders to a station that is another one from now on.
void classroom_orders_forget(ClassroomOrders *orders, int station);
/// Takes one order out that has waited too long, and tells its station and id. False: there is none.
bool classroom_orders_late(ClassroomOrders *orders, double now, int *station, char id[CLASSROOM_NAME]);

#endif
