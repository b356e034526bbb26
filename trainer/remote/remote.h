/// What watches and orders from elsewhere: the instructor's page and the link to an MQTT broker, joined to a drive
/// (instructor.h), and all stations of a broker on one page (classroom.h).
#ifndef SPADEWORK_TRAINER_REMOTE_DOOR_H
#define SPADEWORK_TRAINER_REMOTE_DOOR_H

#include "trainer/remote/classroom.h"
#include "trainer/remote/instructor.h"

#endif
