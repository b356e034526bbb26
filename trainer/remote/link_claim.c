/// The state machine of a claim; the rules are in the header.
#include "trainer/remote/link_claim.h"

#include <stdio.h>
#include <string.h>

void link_claim_begin(LinkClaim *claim, const char *instance)
{
    *claim = (LinkClaim){.phase = LINK_ASKING};
    snprintf(claim->instance, sizeof claim->instance, "%s", instance);
}

static bool is_own(const LinkClaim *claim, const LinkWho *who)
{
    return strcmp(claim->instance, who->instance) == 0;
}

/// ---- phases --------------------------------------------------------------------------------------------------------

static void ask(LinkClaim *claim)
{
    claim->phase = LINK_ASKING;
    claim->asked = claim->echoed = 0.0;
    claim->rival = (LinkWho){0};
}

static int stay_out(LinkClaim *claim, const LinkNotice *rival, double now)
{
    claim->phase = LINK_OUT;
    claim->held = false;
    claim->term = rival->kind == LINK_NOTICE_HOLDS ? rival->term : claim->term;
    claim->rival = rival->who;
    claim->rival_seen = now;
    claim->published = now;
    return LINK_PUBLISH_CLAIM;
}

static int hold(LinkClaim *claim, double now)
{
    claim->phase = LINK_HOLDING;
    claim->term += !claim->held && claim->term < LINK_TERM_MOST;
    claim->held = true;
    claim->published = now;
    claim->rival = (LinkWho){0};
    return LINK_PUBLISH_STATUS;
}

/// Publishes the status again, as a sign of life or as an objection.
static int beat(LinkClaim *claim, double now)
{
    claim->published = now;
    return LINK_PUBLISH_STATUS;
}

/// ---- time passes ---------------------------------------------------------------------------------------------------

/// True when nobody has objected for long enough; a program whose status was kept gets the time of a dead one.
static bool has_succeeded(const LinkClaim *claim, double now)
{
    bool echoed = claim->echoed > 0.0;
    double quiet = claim->rival.instance[0] != '\0' ? LINK_DEAD : LINK_QUIET;
    return echoed ? now - claim->echoed >= quiet : now - claim->asked >= LINK_NO_ECHO;
}

int link_claim_tend(LinkClaim *claim, int connection, bool subscribed, double now)
{
    if (connection != claim->connection) {
        claim->connection = connection;
        ask(claim);
    }
    if (!subscribed) {
        return 0;
    }
    if (claim->phase == LINK_OUT && now - claim->rival_seen >= LINK_DEAD) {
        ask(claim);
    }
    if (claim->phase == LINK_ASKING && claim->asked > 0.0 && has_succeeded(claim, now)) {
        return hold(claim, now);
    }
    if (claim->phase == LINK_ASKING && claim->asked == 0.0) {
        claim->asked = claim->published = now;
        return LINK_PUBLISH_CLAIM;
    }
    if (now - claim->published < LINK_BEAT) {
        return 0;
    }
    if (claim->phase == LINK_HOLDING) {
        return beat(claim, now);
    }
    claim->published = now;
    return LINK_PUBLISH_CLAIM;
}

/// ---- notices -------------------------------------------------------------------------------------------------------

static int receive_own(LinkClaim *claim, const LinkNotice *notice, double now)
{
    if (notice->kind == LINK_NOTICE_CLAIM && claim->phase == LINK_ASKING && claim->echoed == 0.0) {
        claim->echoed = now;
    }
    // The last will of an earlier connection has replaced the status.
    return notice->kind == LINK_NOTICE_GONE && !notice->kept && claim->phase == LINK_HOLDING ? beat(claim, now) : 0;
}

static int receive_asking(LinkClaim *claim, const LinkNotice *notice, double now)
{
    bool lower = strcmp(claim->instance, notice->who.instance) < 0;
    bool first = claim->held != notice->held ? claim->held : lower;
    switch (notice->kind) {
    case LINK_NOTICE_HOLDS:
        if (!notice->kept) {
            return stay_out(claim, notice, now);
        }
        claim->rival = notice->who;
        claim->term = claim->held ? claim->term : notice->term;
        return 0;
    case LINK_NOTICE_GONE:
        if (strcmp(claim->rival.instance, notice->who.instance) == 0) {
            claim->rival = (LinkWho){0};
        }
        return 0;
    case LINK_NOTICE_CLAIM:
        if (!first) {
            return stay_out(claim, notice, now);
        }
        return claim->asked > 0.0 ? LINK_PUBLISH_CLAIM : 0; // the other may have subscribed after the first claim
    case LINK_NOTICE_OUT:
        return 0;
    }
    return 0;
}

static int receive_holding(LinkClaim *claim, const LinkNotice *notice, double now)
{
    bool lower = strcmp(claim->instance, notice->who.instance) < 0;
    bool first = claim->term != notice->term ? claim->term < notice->term : lower;
    if (notice->kind == LINK_NOTICE_HOLDS && !notice->kept && !first) {
        return stay_out(claim, notice, now);
    }
    // The will of another program has replaced the status, or another program claims.
    return notice->kind == LINK_NOTICE_OUT || notice->kept ? 0 : beat(claim, now);
}

static int receive_out(LinkClaim *claim, const LinkNotice *notice, double now)
{
    bool is_rival = strcmp(claim->rival.instance, notice->who.instance) == 0;
    if (notice->kind == LINK_NOTICE_HOLDS && !notice->kept) {
        claim->rival = notice->who;
        claim->term = notice->term;
        claim->rival_seen = now;
    } else if (notice->kind == LINK_NOTICE_CLAIM && is_rival) {
        claim->rival_seen = now;
    } else if (notice->kind == LINK_NOTICE_GONE && is_rival && !notice->kept) {
        ask(claim);
    }
    return 0;
}

int link_claim_receive(LinkClaim *claim, const LinkNotice *notice, double now)
{
    if (is_own(claim, &notice->who)) {
        return receive_own(claim, notice, now);
    }
    switch (claim->phase) {
    case LINK_ASKING:
        return receive_asking(claim, notice, now);
    case LINK_HOLDING:
        return receive_holding(claim, notice, now);
    case LINK_OUT:
        return receive_out(claim, notice, now);
    }
    return 0;
}
