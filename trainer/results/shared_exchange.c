/// One exchange: it connects, looks whose database it is, sends and copies.
#include "trainer/results/shared_exchange.h"

#include "trainer/results/shared_fetch.h"
#include "trainer/results/shared_layout.h"
#include "trainer/results/shared_notes.h"
#include "trainer/results/shared_send.h"

#define SLOW 1.0 ///< s: a server that failed only after so long is left alone for a while. Chosen

bool shared_exchange(sqlite3 *db, const char *url, double patience, int *sent, Status *status)
{
    SharedLink link;
    double start = shared_clock();
    *sent = 0;
    bool good = shared_connect(&link, url, patience, status) && shared_layout(&link, status) &&
                shared_recognize(&link, db, status) && shared_send(&link, db, sent, status) &&
                shared_fetch(&link, db, status);
    shared_disconnect(&link);
    shared_note_outcome(db, good ? "" : status->text, !good && shared_clock() - start > SLOW);
    return good && status_good(status);
}
