/// Pages and signs for what comes before the work: the switches of the cab, the thing that the operator on foot looks
/// at closely, and one line that says what to do next, with the operator's own key.
#ifndef SPADEWORK_TRAINER_CAB_PAGE_H
#define SPADEWORK_TRAINER_CAB_PAGE_H

#include "data/schema/scene_params.h"
#include "trainer/app/menu.h"
#include "trainer/pilot/pilot.h"

enum { CAB_SIGN = 240 };

/// Ids of the switches: that of a control axis is CAB_PAGE_AXES + axis.
enum { CAB_PAGE_AXES = 200 };

/// Begins the menu of the switches, each with how it stands.
void cab_page_begin(Menu *menu, const Drive *drive);
/// Operates the switch of an item's id, as long as it takes; false: it is the id of none.
bool cab_page_press(int id, Drive *drive);
/// Begins the page of a thing: what is seen, and whether it is fine or to be reported; ids as those of questions.
void thing_page_begin(Menu *menu, const SceneThing *thing);
/// Writes what is to be done next before the work; false: nothing is.
/// scene    in the reader's language
/// devices  inputs of pads and joysticks are named, too
bool cab_sign(const Drive *drive, const SceneParams *scene, bool devices, char text[CAB_SIGN]);

#endif
