/// Orders to stations: an order of the page is checked and becomes a payload for each station; the station's answer, or
/// its silence, decides later what became of it. Pure; the caller keeps two threads apart.
#ifndef SPADEWORK_TRAINER_CLASSROOM_ORDERS_H
#define SPADEWORK_TRAINER_CLASSROOM_ORDERS_H

#include "trainer/remote/classroom_roster.h"
#include "trainer/remote/console_commands.h"

#define CLASSROOM_PATIENCE      5.0 ///< s that a station may take to answer
#define CLASSROOM_PATIENCE_LOAD 20.0 ///< s that it may take to begin an exercise. Chosen: a slow computer's way there

/// Of orders without an answer; bytes of one that is sent to many, with their names and trainees; of the id's
/// beginning; orders to many that are kept.
enum { CLASSROOM_PENDING = 1024, CLASSROOM_BODY = 131072, CLASSROOM_MARK = 9, CLASSROOM_BATCHES = 3 };

/// What became of an order at one station.
typedef enum ClassroomResult {
    CLASSROOM_NOT_ASKED,
    CLASSROOM_WAITS, ///< it was sent, and is not answered yet
    CLASSROOM_TAKEN,
    CLASSROOM_REFUSED,
    CLASSROOM_NO_ANSWER,
    CLASSROOM_NOT_SENT, ///< the station was not there
    CLASSROOM_RESULTS
} ClassroomResult;
extern const char *const classroom_result_names[CLASSROOM_RESULTS]; ///< "", "waits", ...

/// An order to many, with what became of it.
typedef struct ClassroomBatch {
    long number; ///< 1, 2, ...; 0: there is none
    ConsoleCommandKind kind;
    long ids[CLASSROOM_STATIONS]; ///< number of the order to each station, by its place
    ClassroomResult results[CLASSROOM_STATIONS];
    char errors[CLASSROOM_STATIONS][CLASSROOM_TEXT]; ///< of those that refused
} ClassroomBatch;

typedef struct ClassroomPending {
    int station; ///< its place; -1: this one is free
    long number; ///< of the order
    double until; ///< s of the caller's clock
} ClassroomPending;

typedef struct ClassroomOrders {
    char mark[CLASSROOM_MARK]; ///< of this classroom's ids: letters of one that no other classroom has
    long sent; ///< orders so far
    ClassroomPending pending[CLASSROOM_PENDING];
    ClassroomBatch batches[CLASSROOM_BATCHES]; ///< a ring
    long batch_count; ///< so far
} ClassroomOrders;

/// mark  1..8 of a-z and 0-9
void classroom_orders_begin(ClassroomOrders *orders, const char *mark);

/// An order as it was sent by the page of all stations: with the key `stations`, a list of names or "all", and of
/// `load` with `trainees`, an object with a text for each of some stations.
typedef struct ClassroomOrder {
    ConsoleCommand command;
    json_t *payload; ///< of the order alone, without id: held
    json_t *trainees; ///< the key `trainees`, held; NULL: there are none
    bool to[CLASSROOM_STATIONS]; ///< by place in the roster
    int count; ///< of these
} ClassroomOrder;
/// Reads the body of an order, [size] bytes; the caller ends it with classroom_order_free. False with `status`
/// (STATUS_BAD_FILE), and nothing is owned.
/// station  its place, where the page of one station sent it; -1: it says to whom it goes
/// now      s of the caller's clock: "all" are those that are there now
bool classroom_order_read(const char *body, size_t size, int station, const ClassroomRoster *roster, double now,
                          ClassroomOrder *order, Status *status);
void classroom_order_free(ClassroomOrder *order);
/// Begins to keep what becomes of an order to many; the oldest one is forgotten. It belongs to the orders.
ClassroomBatch *classroom_orders_begin_batch(ClassroomOrders *orders, ConsoleCommandKind kind);
/// The payload for one station, with an id of its own, that the caller frees: remembered until it is answered, or its
/// patience has passed. NULL when too many wait or memory is short.
/// batch  where its result goes; NULL: nowhere
/// now    s of the caller's clock
char *classroom_order_payload(ClassroomOrders *orders, const ClassroomOrder *order, const ClassroomRoster *roster,
                              int station, ClassroomBatch *batch, double now, char id[CLASSROOM_NAME]);

/// Takes an answer. True when it is one to an order of this classroom's that still waits, which is forgotten then; the
/// answer of a station that was too late goes into its batch all the same.
bool classroom_orders_answered(ClassroomOrders *orders, int station, const ClassroomAnswer *answer);
/// Forgets the orders to a station that is another one from now on.
void classroom_orders_forget(ClassroomOrders *orders, int station);
/// Takes one order out that has waited too long, and returns its station and id. False: there is none.
bool classroom_orders_late(ClassroomOrders *orders, double now, int *station, char id[CLASSROOM_NAME]);

/// What became of the orders to many, the newest first, as one JSON text of `size` bytes that the caller frees; NULL
/// when memory is short. docs/classroom.md has its keys.
char *classroom_orders_text(const ClassroomOrders *orders, const ClassroomRoster *roster, size_t *size);

#endif
