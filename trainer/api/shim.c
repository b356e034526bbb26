#include "trainer/api/api_internal.h"
bool session_reseed(Session *s, uint64_t seed, Status *st);
bool session_has_failed(const Session *s);
void data_set_folder(const char *p);
bool data_find_beside(const void *a, const char *n, char *p);
bool session_reseed(Session *s, uint64_t seed, Status *st)
{
    (void)s;
    (void)seed;
    return status_fail(st, STATUS_LACKING, "not yet");
}
bool session_has_failed(const Session *s)
{
    (void)s;
    return false;
}
void data_set_folder(const char *p)
{
    (void)p;
}
bool data_find_beside(const void *a, const char *n, char *p)
{
    (void)a;
    (void)n;
    (void)p;
    return false;
}
