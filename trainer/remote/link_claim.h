/// Decides which program may use a station's name, where several programs use the same name at one broker.
///
/// Every run of the program has an instance id of its own and connects as a client of its own, so that the broker never
/// replaces one by another. A program claims the name before it publishes anything under it, and the holder objects.
/// The rules give the same result in every program:
///
/// - The holder repeats its status every LINK_BEAT s, and answers a claim with its status at once.
/// - A claim succeeds when nobody has objected for LINK_QUIET s. If the broker has kept the status of another program,
///   that program must also have been silent for LINK_DEAD s, or its last will must have arrived.
/// - Of two programs that claim at the same time, the one that held the name at its last connection wins, else the one
///   with the lower instance id. If messages are late, two programs may hold the name: the one with the lower term
///   keeps it, else the one with the lower id. The term is 1, plus 1 for each takeover from a silent program.
/// - A program that lost stays out. It publishes that every LINK_BEAT s, and claims the name again when the holder has
///   gone, or was silent for LINK_DEAD s.
/// - Each connection begins with a claim, because the name may have been given to another program meanwhile.
///
/// Pure; not thread-safe. Times are in s of a clock of the caller's that never goes back.
#ifndef SPADEWORK_TRAINER_LINK_CLAIM_H
#define SPADEWORK_TRAINER_LINK_CLAIM_H

#include <stdbool.h>

#define LINK_BEAT  3.0 ///< s between two statuses of a holder, or two claims. Chosen
#define LINK_QUIET 1.0 ///< s without an objection after which a claim succeeds. Chosen: many round trips of a network
#define LINK_DEAD  8.0 ///< s without a status after which a holder counts as dead: two statuses may be lost
/// s after which a claim succeeds although the broker has not returned it, as when an access list forbids that. Longer
/// than a dead connection lasts (20 s).
#define LINK_NO_ECHO 25.0

/// Bytes with the NUL: of an instance's id, of a computer's name and of its numeric address.
enum { LINK_INSTANCE = 17, LINK_HOST = 65, LINK_ADDRESS = 46 };
enum { LINK_TERM_MOST = 1000000 };

/// A program that uses a station's name.
typedef struct LinkWho {
    char instance[LINK_INSTANCE]; ///< hexadecimal digits, of one run of the program alone; "": nobody
    char host[LINK_HOST]; ///< the computer's name, or ""
    char address[LINK_ADDRESS]; ///< numeric, as the broker is reached from, or ""
    int process; ///< number of the process there, or 0
} LinkWho;

/// What a program publishes about the name.
typedef enum LinkNoticeKind {
    LINK_NOTICE_CLAIM, ///< it claims the name
    LINK_NOTICE_OUT, ///< it stays out
    LINK_NOTICE_HOLDS, ///< its status: it holds the name
    LINK_NOTICE_GONE, ///< its last will, or its farewell
} LinkNoticeKind;
typedef struct LinkNotice {
    LinkNoticeKind kind;
    LinkWho who;
    bool kept; ///< retained by the broker: published at some time before
    bool held; ///< of a claim: the program held the name at its last connection
    int term; ///< of a status, 1..LINK_TERM_MOST
} LinkNotice;

typedef enum LinkPhase {
    LINK_ASKING, ///< the name is claimed, and not decided yet
    LINK_HOLDING, ///< the name is this program's
    LINK_OUT, ///< another program holds the name
} LinkPhase;

/// What the caller must publish now, as a set of bits.
enum { LINK_PUBLISH_CLAIM = 1, LINK_PUBLISH_STATUS = 2 };

typedef struct LinkClaim {
    char instance[LINK_INSTANCE];
    LinkPhase phase;
    int connection; ///< 0: there was none yet
    bool held; ///< this program held the name at its last connection, or holds it
    double asked; ///< s, of the first claim in this phase; 0: none yet
    double echoed; ///< s, when the broker first returned it; 0: not yet
    double published; ///< s, of the last claim or status
    int term; ///< LINK_HOLDING: of this program; else the highest of another one
    LinkWho rival; ///< LINK_OUT: the holder; LINK_ASKING: the program whose status the broker has kept
    double rival_seen; ///< s, LINK_OUT: of the holder's last message
} LinkClaim;

void link_claim_begin(LinkClaim *claim, const char *instance);
/// Lets time pass; call it first at each connection, before link_claim_receive, and then at least twice a second while
/// connected. Returns what must be published.
/// connection  counts the connections, from 1
/// subscribed  the broker passes on what is published from now on
int link_claim_tend(LinkClaim *claim, int connection, bool subscribed, double now);
/// Takes a notice that was published under the name, including this program's own. Returns what must be published.
int link_claim_receive(LinkClaim *claim, const LinkNotice *notice, double now);

#endif
