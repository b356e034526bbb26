/// The environment server: sessions of libspadework for programs on the other side of a socket
/// (docs/environment-server.md).
///
/// Each connection has a thread, which waits for its own client alone, and owns the sessions that it creates: they are
/// closed when it ends. No clock enters a session: it stands at its tick until its client steps it.
#ifndef SPADEWORK_TRAINER_ENV_SERVER_H
#define SPADEWORK_TRAINER_ENV_SERVER_H

#include <stdbool.h>

#include "data/core/status.h"

enum {
    ENV_SESSIONS = 64, ///< open at a time, when not given
    ENV_SESSIONS_MOST = 4096,
    ENV_CONNECTIONS = 32, ///< at a time, when not given
    ENV_CONNECTIONS_MOST = 1024,
    ENV_ADDRESS = 160 ///< bytes of an address with the NUL
};

/// Read by env_server_start; belongs to the caller.
typedef struct EnvServerParams {
    /// "unix:PATH", or a path with a slash: a socket that its owner alone may use. Else HOST:PORT: a numeric address or
    /// "localhost", an IPv6 one in brackets, and a port, 0: one that is free.
    const char *listen;
    bool any_host; ///< HOST may be one that other computers reach
    const char *token_file; ///< whose first line is the token; NULL: with TCP a random one, with a Unix socket none
    int session_most; ///< 1..ENV_SESSIONS_MOST; 0: ENV_SESSIONS
    int connection_most; ///< 1..ENV_CONNECTIONS_MOST; 0: ENV_CONNECTIONS
} EnvServerParams;

typedef struct EnvServer EnvServer;

/// Listens. NULL with `status`: an address that is none (STATUS_BAD_USAGE), a file without a token (STATUS_BAD_FILE), a
/// socket that cannot be made (STATUS_LACKING). The caller ends it with env_server_close.
EnvServer *env_server_start(const EnvServerParams *params, Status *status);
/// Serves until a signal asks the program to stop (data/core/signals.h), which the calling thread has taken.
void env_server_run(EnvServer *server);
/// Breaks off every call, closes connections and sessions with their recordings, and frees it. NULL is nothing.
void env_server_close(EnvServer *server);

/// Where it listens, as a client needs it: "unix:/run/site.sock", "127.0.0.1:41233". It belongs to the server.
const char *env_server_address(const EnvServer *server);
/// The random token that clients must show; NULL: they need none, or it is that of the file. It belongs to the server.
const char *env_server_token(const EnvServer *server);

#endif
