/// All stations of a broker on one page: joins the broker, which brings their messages, to a console's server, which
/// shows them and sends orders.
#ifndef SPADEWORK_TRAINER_CLASSROOM_H
#define SPADEWORK_TRAINER_CLASSROOM_H

#include "trainer/remote/broker.h"
#include "trainer/remote/console.h"

/// The page of all stations: data/classroom/. Constant; any thread.
extern const ConsolePage classroom_page;

/// What is published to it.
enum { CLASSROOM_CHANNEL_STATIONS, CLASSROOM_CHANNEL_LESSONS, CLASSROOM_CHANNEL_ORDERS, CLASSROOM_CHANNELS };

/// Read by classroom_open; belongs to the caller. Of `console` the address, port, token, patience, folder and log are
/// taken, of `broker` the address and the secrets; the rest is the classroom's.
typedef struct ClassroomParams {
    ConsoleParams console;
    BrokerParams broker;
} ClassroomParams;

typedef struct Classroom Classroom;

/// Starts page and link; that the broker is not there yet is no failure. NULL with `status` as console_start and
/// broker_open. The caller ends it with classroom_close.
Classroom *classroom_open(const ClassroomParams *params, Status *status);
void classroom_close(Classroom *classroom); ///< NULL is nothing

/// Shows what has changed, asks stations whose pages are open for their views, and gives up orders without an answer.
/// To be called CLASSROOM_STEPS times a second, from one thread.
void classroom_step(Classroom *classroom);
enum { CLASSROOM_STEPS = 40 };

/// Address of the page with the token behind the #. It belongs to the classroom.
const char *classroom_url(const Classroom *classroom);

#endif
