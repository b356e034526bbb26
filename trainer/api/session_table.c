/// Open sessions by their numbers. A number holds a place in the table and how often the place was used, so that a
/// closed session's number fits nothing. The lock is held for a few instructions, never while a session works.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/api/api_internal.h"

typedef struct Place {
    ApiSession *own; ///< NULL: free
    uint32_t use; ///< 1..: counts the sessions that were here
    bool taken; ///< by a call
} Place;

enum { PLACE_BITS = 24 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; ///< guards all below
static Place *places;
static size_t place_count, place_room;

static size_t free_place(void)
{
    for (size_t k = 0; k < place_count; k++) {
        if (places[k].own == NULL && places[k].use < UINT32_MAX) {
            return k;
        }
    }
    return place_count;
}

/// With the lock. False: no memory.
static bool make_room(size_t place)
{
    if (place < place_room) {
        return true;
    }
    size_t room = place_room == 0 ? 16 : 2 * place_room;
    Place *more = room > (size_t)1 << PLACE_BITS ? NULL : realloc(places, room * sizeof *more);
    if (more == NULL) {
        return false;
    }
    memset(more + place_room, 0, (room - place_room) * sizeof *more);
    places = more;
    place_room = room;
    return true;
}

Spadework api_add(ApiSession *own)
{
    Spadework number = 0;
    pthread_mutex_lock(&lock);
    size_t k = free_place();
    if (make_room(k)) {
        places[k].own = own;
        places[k].use++;
        places[k].taken = false;
        place_count = k == place_count ? k + 1 : place_count;
        number = (Spadework)places[k].use << PLACE_BITS | k;
    }
    pthread_mutex_unlock(&lock);
    return number;
}

int api_enter(ApiCall *call, Spadework session)
{
    int result = SPADEWORK_GOOD;
    size_t k = (size_t)(session & (((Spadework)1 << PLACE_BITS) - 1));
    pthread_mutex_lock(&lock);
    if (k >= place_count || places[k].own == NULL || session >> PLACE_BITS != places[k].use) {
        result = SPADEWORK_CLOSED;
    } else if (places[k].taken) {
        result = SPADEWORK_BUSY;
    } else {
        places[k].taken = true;
        call->own = places[k].own;
        call->place = k;
    }
    pthread_mutex_unlock(&lock);
    if (result == SPADEWORK_GOOD) {
        call->mode = thread_mode_begin();
    }
    return result;
}

int api_leave(ApiCall *call, int result)
{
    pthread_mutex_lock(&lock);
    places[call->place].taken = false;
    pthread_mutex_unlock(&lock);
    thread_mode_end(&call->mode);
    return result;
}

void api_remove(ApiCall *call)
{
    pthread_mutex_lock(&lock);
    places[call->place].own = NULL;
    places[call->place].taken = false;
    pthread_mutex_unlock(&lock);
    thread_mode_end(&call->mode);
}

int api_fail(ApiSession *own, int result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(own->error, sizeof own->error, format, arguments);
    va_end(arguments);
    return result;
}

int api_fail_status(ApiSession *own, const Status *status, int usage, int lacking)
{
    int result = status->code == STATUS_BAD_USAGE ? usage
                 : status->code == STATUS_LACKING ? lacking
                                                  : SPADEWORK_BAD_FILE;
    return api_fail(own, result, "%s", status->text);
}
