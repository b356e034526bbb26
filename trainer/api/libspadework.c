/// libspadework.so.0 is made of the library `api`; this file is what the linker is given beside it.
#include "trainer/api/spadework.h"
