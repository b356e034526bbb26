/// Whether what particles know of the ground counts as outdated until they have looked anew, also after a restore.
#include "tests/support/test.h"

#include "soil/contact/ground_contacts.h"
#include "soil/ground/grounds.h"

TEST(no_change_of_the_ground_brings_back_what_was_outdated)
{
    static Ground site = {.version = 5};
    static Grounds grounds = {.site = &site};
    GroundReach reach = {.known = true};
    ground_contacts_restore(&reach, &grounds, false);
    for (int k = 0; k < 10; k++) { // the first cut of a tick, the second, ...
        assert_false(ground_contacts_last(&reach, &grounds));
        site.version++;
    }
    ground_contacts_restore(&reach, &grounds, true);
    assert_true(ground_contacts_last(&reach, &grounds));
    site.version++;
    assert_false(ground_contacts_last(&reach, &grounds));
}

TEST_GROUP(NULL, NULL)
