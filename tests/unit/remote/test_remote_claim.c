/// Which of several programs of one station name gets the name: the rules are played with an invented broker, whose
/// messages take their time, which restarts, and whose programs start together, are killed, stall and come back.
#include "tests/support/test.h"
#include "trainer/remote/link_messages.h"

#define STEP 0.05 ///< s

enum { PROGRAMS = 4, WAITING = 4096 };

/// A message on its way. Those of one program stay in their order.
typedef struct Letter {
    double due; ///< s
    LinkNotice notice;
} Letter;
typedef struct Way {
    Letter letters[WAITING];
    int first, count;
} Way;

typedef struct Program {
    LinkClaim claim;
    bool runs, connected;
    int connections;
    double subscribed; ///< s, from which messages come
    double stalled; ///< s, until which nothing comes through in either direction
    Way out, in;
} Program;

typedef struct World {
    double now;
    unsigned chance;
    double slowest; ///< s that a message may take at most
    Program programs[PROGRAMS];
    LinkNotice kept; ///< the broker's retained status; instance "": none
    double two; ///< s for which two programs held the name at once
} World;

static double draw(World *world, double most)
{
    world->chance = world->chance * 1664525U + 1013904223U;
    return most * (double)(world->chance >> 8) / (double)(1 << 24);
}

static void put(World *world, Way *way, const LinkNotice *notice)
{
    double due = world->now + draw(world, world->slowest);
    if (way->count > 0) {
        due = fmax(due, way->letters[(way->first + way->count - 1) % WAITING].due);
    }
    assert_true(way->count < WAITING);
    way->letters[(way->first + way->count++) % WAITING] = (Letter){due, *notice};
}

static bool take(World *world, Way *way, LinkNotice *notice)
{
    if (way->count == 0 || way->letters[way->first].due > world->now) {
        return false;
    }
    *notice = way->letters[way->first].notice;
    way->first = (way->first + 1) % WAITING;
    way->count--;
    return true;
}

static void say(World *world, Program *program, int what)
{
    LinkNotice notice = {.held = program->claim.held, .term = program->claim.term};
    snprintf(notice.who.instance, sizeof notice.who.instance, "%s", program->claim.instance);
    if ((what & LINK_PUBLISH_CLAIM) != 0) {
        notice.kind = program->claim.phase == LINK_OUT ? LINK_NOTICE_OUT : LINK_NOTICE_CLAIM;
        put(world, &program->out, &notice);
    }
    if ((what & LINK_PUBLISH_STATUS) != 0) {
        notice.kind = LINK_NOTICE_HOLDS;
        put(world, &program->out, &notice);
    }
}

/// The broker gives a message to all who have subscribed.
static void publish(World *world, const LinkNotice *notice)
{
    if (notice->kind == LINK_NOTICE_HOLDS || notice->kind == LINK_NOTICE_GONE) {
        world->kept = *notice;
        world->kept.kept = true;
    }
    for (int k = 0; k < PROGRAMS; k++) {
        Program *program = &world->programs[k];
        if (program->connected && world->now >= program->subscribed) {
            put(world, &program->in, notice);
        }
    }
}

static void connect(World *world, Program *program)
{
    program->connected = true;
    program->connections++;
    program->out.count = program->in.count = 0;
    program->subscribed = world->now + draw(world, world->slowest);
    say(world, program, link_claim_tend(&program->claim, program->connections, false, world->now));
    if (world->kept.who.instance[0] != '\0') {
        put(world, &program->in, &world->kept);
    }
}

/// The connection ends without a farewell: the last will goes out.
static void lose(World *world, Program *program)
{
    LinkNotice will = {.kind = LINK_NOTICE_GONE, .who = program->claim.rival};
    snprintf(will.who.instance, sizeof will.who.instance, "%s", program->claim.instance);
    program->connected = false;
    publish(world, &will);
}

static void kill_program(World *world, int which)
{
    world->programs[which].runs = false;
    lose(world, &world->programs[which]);
}

static void start(World *world, int which)
{
    char instance[LINK_INSTANCE];
    Program *program = &world->programs[which];
    snprintf(instance, sizeof instance, "%08x%08x", (unsigned)draw(world, 1e9), (unsigned)which);
    *program = (Program){.runs = true};
    link_claim_begin(&program->claim, instance);
    connect(world, program);
}

static bool holds(const Program *program)
{
    return program->runs && program->connected && program->claim.phase == LINK_HOLDING;
}

static int holders(const World *world)
{
    int count = 0;
    for (int k = 0; k < PROGRAMS; k++) {
        count += holds(&world->programs[k]);
    }
    return count;
}

static void step_program(World *world, Program *program)
{
    LinkNotice notice;
    if (!program->runs || !program->connected) {
        return;
    }
    bool flows = world->now >= program->stalled;
    while (flows && take(world, &program->out, &notice)) {
        publish(world, &notice);
    }
    while (flows && take(world, &program->in, &notice)) {
        say(world, program, link_claim_receive(&program->claim, &notice, world->now));
    }
    say(world, program,
        link_claim_tend(&program->claim, program->connections, world->now >= program->subscribed, world->now));
}

static void pass(World *world, double seconds)
{
    for (double end = world->now + seconds; world->now < end; world->now += STEP) {
        for (int k = 0; k < PROGRAMS; k++) {
            step_program(world, &world->programs[k]);
        }
        world->two += holders(world) > 1 ? STEP : 0.0;
    }
}

static World *make(unsigned chance, double slowest)
{
    World *world = calloc(1, sizeof *world);
    assert_non_null(world);
    world->now = 1.0;
    world->chance = chance;
    world->slowest = slowest;
    return world;
}

static int find_holder(const World *world)
{
    int found = -1;
    assert_int_equal(holders(world), 1);
    for (int k = 0; k < PROGRAMS; k++) {
        found = holds(&world->programs[k]) ? k : found;
    }
    return found;
}

/// ---- cases ---------------------------------------------------------------------------------------------------------

/// Whatever is heard first: it is the one with the lowest id, and never two at once.
TEST(of_those_that_start_together_one_stays)
{
    for (unsigned chance = 1; chance <= 300; chance++) {
        World *world = make(chance, 0.2);
        for (int k = 0; k < PROGRAMS; k++) {
            start(world, k);
        }
        pass(world, 5.0);
        const char *holder = world->programs[find_holder(world)].claim.instance;
        for (int k = 0; k < PROGRAMS; k++) {
            assert_true(strcmp(holder, world->programs[k].claim.instance) <= 0);
        }
        pass(world, 60.0);
        assert_string_equal(world->programs[find_holder(world)].claim.instance, holder);
        assert_true(world->two == 0.0);
        free(world);
    }
}

TEST(who_comes_later_stays_out_and_names_the_holder)
{
    for (unsigned chance = 1; chance <= 100; chance++) {
        World *world = make(chance, 0.2);
        start(world, 0);
        pass(world, draw(world, 8.0));
        start(world, 1);
        pass(world, 4.0);
        int holder = find_holder(world);
        const LinkClaim *other = &world->programs[1 - holder].claim;
        assert_int_equal(other->phase, LINK_OUT);
        assert_string_equal(other->rival.instance, world->programs[holder].claim.instance);
        assert_true(world->two == 0.0);
        free(world);
    }
    World *world = make(1, 0.2);
    start(world, 0);
    pass(world, 3.0);
    start(world, 1);
    pass(world, 60.0);
    assert_int_equal(find_holder(world), 0); // who holds it keeps it, whatever the ids are
    free(world);
}

/// By its last will at once; without one, as when the broker died with it, after LINK_DEAD.
TEST(the_name_of_a_dead_program_is_taken_over)
{
    World *world = make(7, 0.1);
    start(world, 0);
    pass(world, 3.0);
    start(world, 1);
    pass(world, 3.0);
    kill_program(world, 0);
    pass(world, 2.5);
    assert_int_equal(find_holder(world), 1);
    world->programs[1].runs = world->programs[1].connected = false; // nobody says so
    start(world, 2);
    pass(world, LINK_DEAD - 0.5);
    assert_int_equal(holders(world), 0);
    pass(world, 2.5);
    assert_int_equal(find_holder(world), 2);
    assert_int_equal(world->programs[2].claim.term, 3);
    free(world);
}

/// A broker that restarts has all of them claim anew: who held the name gets it again, with or without a memory.
TEST(a_restart_of_the_broker_changes_nothing)
{
    for (unsigned chance = 1; chance <= 100; chance++) {
        World *world = make(chance, 0.2);
        for (int k = 0; k < PROGRAMS; k++) {
            start(world, k);
            pass(world, 2.0);
        }
        int holder = find_holder(world);
        for (int k = 0; k < PROGRAMS; k++) {
            world->programs[k].connected = false;
        }
        if (chance % 2 == 0) {
            world->kept = (LinkNotice){0};
        }
        pass(world, 3.0);
        for (int k = 0; k < PROGRAMS; k++) {
            connect(world, &world->programs[(k + (int)chance) % PROGRAMS]);
        }
        pass(world, 6.0);
        assert_int_equal(find_holder(world), holder);
        assert_true(world->two == 0.0);
        free(world);
    }
}

/// A will that comes late takes the place of the kept status: the holder says its own again.
TEST(the_will_of_another_program_does_not_stay)
{
    World *world = make(3, 0.1);
    start(world, 0);
    pass(world, 3.0);
    start(world, 1);
    pass(world, 3.0);
    kill_program(world, 1);
    assert_int_equal(world->kept.kind, LINK_NOTICE_GONE);
    pass(world, 0.5);
    assert_int_equal(world->kept.kind, LINK_NOTICE_HOLDS);
    assert_string_equal(world->kept.who.instance, world->programs[find_holder(world)].claim.instance);
    free(world);
}

/// A holder from whom nothing comes for longer than LINK_DEAD loses its name to another; when both are there again the
/// older one stays, and they do not go on for longer than a message takes.
TEST(two_holders_are_one_again_at_once)
{
    for (unsigned chance = 1; chance <= 100; chance++) {
        World *world = make(chance, 0.2);
        start(world, 0);
        pass(world, 3.0);
        start(world, 1);
        world->programs[0].stalled = world->now + LINK_DEAD + 3.0;
        pass(world, LINK_DEAD + 2.5);
        assert_int_equal(world->programs[1].claim.phase, LINK_HOLDING);
        world->two = 0.0;
        pass(world, 30.0);
        assert_int_equal(find_holder(world), 0);
        assert_true(world->two < 1.5); // of which 0.5 s before the stall ended
        free(world);
    }
}

/// Anything at any time; in the end exactly one holds the name of those that are there.
TEST(after_any_trouble_exactly_one_holds_the_name)
{
    for (unsigned chance = 1; chance <= 300; chance++) {
        World *world = make(chance, 0.3);
        for (int k = 0; k < 40; k++) {
            int which = (int)draw(world, PROGRAMS);
            Program *program = &world->programs[which];
            double what = draw(world, 5.0);
            if (!program->runs) {
                start(world, which);
            } else if (!program->connected) {
                connect(world, program);
            } else if (what < 1.0) {
                kill_program(world, which);
            } else if (what < 2.0) {
                lose(world, program);
            } else if (what < 3.0) {
                program->stalled = world->now + draw(world, 14.0);
            } else if (what < 4.0) {
                world->kept = (LinkNotice){0};
            }
            pass(world, draw(world, 6.0));
        }
        for (int k = 0; k < PROGRAMS; k++) {
            if (!world->programs[k].runs) {
                start(world, k);
            } else if (!world->programs[k].connected) {
                connect(world, &world->programs[k]);
            }
        }
        pass(world, 40.0);
        int holder = find_holder(world);
        pass(world, 60.0);
        assert_int_equal(find_holder(world), holder);
        free(world);
    }
}

TEST_GROUP(NULL, NULL)
