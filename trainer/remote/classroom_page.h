/// The page of all stations: data/classroom/. Constant; any thread.
#ifndef SPADEWORK_TRAINER_CLASSROOM_PAGE_H
#define SPADEWORK_TRAINER_CLASSROOM_PAGE_H

#include "trainer/remote/console_page.h"

extern const ConsolePage classroom_page;

/// What is published to it.
enum { CLASSROOM_CHANNEL_STATIONS, CLASSROOM_CHANNEL_LESSONS, CLASSROOM_CHANNEL_ORDERS, CLASSROOM_CHANNELS };

#endif
