/// Remote supervision of drives: the instructor's page, the link of a station to the MQTT broker of its classroom, and
/// the page of all stations of a broker. And sessions for programs on the other side of a socket.
///
/// An instructor is joined to drives as their guide; it takes orders of page and broker and shows the drives there:
///
///     Status status;
///     Instructor *instructor = instructor_open(&options, true, &status); // prints the page's address
///     if (instructor != NULL) {
///         InstructorWish wish = instructor_wait(instructor); // until a scene is loaded
///         drive(&options, instructor_guide(instructor), &status);
///         instructor_offer_debrief(instructor);
///         instructor_close(instructor);
///     }
///
/// A classroom shows all stations: classroom_open, classroom_step CLASSROOM_STEPS times a second, classroom_close.
///
/// An environment server gives sessions to programs of others: env_server_start, env_server_run, env_server_close.
///
/// Threads: all functions behind this door are called on one thread, that of the drive. Page and broker have a thread
/// each, which never touches a session; they exchange texts and orders with it under locks that no network holds.
/// Ownership: each _open is ended by its _close; parameters are borrowed as their headers say, returned strings belong
/// to what returned them. Errors: NULL or false with a Status of one line; an order that cannot be obeyed is answered,
/// and a network that fails is tried again, so neither ends a drive.
///
/// Headers from bottom to top, the last three behind this door: console_json.h, console_guard.h, console_commands.h
/// (orders), console_state.h, console.h (page and server), broker.h with broker_internal.h, link_messages.h, link.h,
/// classroom_roster.h, env_message.h, env_calls.h, classroom.h, env_server.h, instructor.h.
#ifndef SPADEWORK_TRAINER_REMOTE_DOOR_H
#define SPADEWORK_TRAINER_REMOTE_DOOR_H

#include "trainer/remote/classroom.h"
#include "trainer/remote/env_server.h"
#include "trainer/remote/instructor.h"

#endif
