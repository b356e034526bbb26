/// What a classroom may send to a station: topics and payloads of strangers become orders, or refusals. Pure; any
/// thread.
#ifndef SPADEWORK_TRAINER_LINK_COMMANDS_H
#define SPADEWORK_TRAINER_LINK_COMMANDS_H

#include "trainer/remote/console_commands.h"
#include "trainer/remote/link_claim.h"

/// Bytes with the NUL: of a station's name, of a command's id.
enum { LINK_STATION = 41, LINK_ID = 41, LINK_WATCH_MOST = 60 };

/// True for 1..40 of a-z, 0-9, - and _.
bool link_station_is_one(const char *name);
/// Makes a name of any text: letters small, "-" for whatever does not fit, cut; "station" of nothing.
void link_station_fit(const char *text, char name[LINK_STATION]);

/// What a topic is to the station.
typedef enum LinkTopic { LINK_NO_TOPIC, LINK_COMMAND, LINK_WATCH, LINK_STATUS, LINK_CLAIM } LinkTopic;
/// Takes spadework/STATION/command, watch, status and claim apart.
LinkTopic link_topic(const char *topic, const char *station);

typedef struct LinkOrder {
    char id[LINK_ID]; ///< 1..40 of a-z, 0-9 and -
    ConsoleCommand command;
} LinkOrder;
/// Reads {"version": 1, "id": ID, "command": NAME, ...}, where what follows is as console_command_read takes it. False
/// with `status` (STATUS_BAD_FILE): the field, what was read and what is allowed; `order->id` is then the id where that
/// could be read, else "".
bool link_order_read(const char *payload, size_t size, LinkOrder *order, Status *status);

/// Reads {"version": 1, "seconds": 1..LINK_WATCH_MOST}. False with `status` as above.
bool link_watch_read(const char *payload, size_t size, int *seconds, Status *status);

/// Reads the sender of a status or a claim: {..., "instance": 16 of 0-9 and a-f, "host": TEXT, "address": NUMBER,
/// "process": 0 or more}. False with `status` as above. object  a jansson object (json_t *)
bool link_who_read(const void *object, LinkWho *who, Status *status);
/// Reads a claim of a station's name. False with `status` as above.
bool link_claim_read(const char *payload, size_t size, LinkNotice *notice, Status *status);
/// Reads the keys of a status that decide who holds the name. False with `status` as above.
bool link_status_read(const char *payload, size_t size, LinkNotice *notice, Status *status);

#endif
