#include "trainer/sim/sim.h"
bool session_reseed(Session *s, uint64_t seed, Status *st);
bool session_has_failed(const Session *s);
void data_set_folder(const char *p);
bool data_find_beside(const void *a, const char *n, char *p);
