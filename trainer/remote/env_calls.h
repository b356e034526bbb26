/// Calls of the environment server (docs/environment-server.md): what one client may ask, with the sessions that are
/// its own. Knows messages and no sockets.
///
/// Each client belongs to one thread; what all clients share is atomic or constant.
#ifndef SPADEWORK_TRAINER_ENV_CALLS_H
#define SPADEWORK_TRAINER_ENV_CALLS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "trainer/remote/env_message.h"

enum { ENV_PROTOCOL = 1 }; ///< raised where a program that knows the one before would break

/// What the clients of a server share.
typedef struct EnvShared {
    const char *token; ///< that a client must show first; NULL: none is needed. Constant
    int session_most; ///< open sessions of all clients. Constant
    atomic_int sessions; ///< that are open
    atomic_bool ends; ///< the server ends: long calls break off
} EnvShared;

typedef struct EnvClient EnvClient;

/// A client without sessions. NULL: memory is short.
/// gone  asked during long calls, from the client's thread: true when nobody waits for the answer any more; NULL: never
EnvClient *env_client_create(EnvShared *shared, bool (*gone)(void *context), void *context);
/// Closes its sessions, with their recordings. NULL is nothing.
void env_client_destroy(EnvClient *client);

/// True when the client has shown the token, or needs none.
bool env_client_is_known(const EnvClient *client);
/// Carries a request out and writes the answer, which begins as {0} and which the caller frees. False: the connection
/// ends behind this answer.
bool env_client_answer(EnvClient *client, const EnvMessage *request, EnvMessage *answer);
/// Reads requests and answers them until the wire ends or what comes is no message, which is answered with one error.
/// True: it ended with that error, and more of the client's bytes may be on their way.
bool env_client_serve(EnvClient *client, const EnvWire *wire);

/// An answer that refuses: {"id": null, "ok": false, "code": ..., "error": ...}.
void env_refusal(EnvMessage *answer, const char *code, const char *error);

#endif
