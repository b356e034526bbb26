/// What an attempt counts as: who moved its levers, and whether it began with what another recording holds.
///
/// An attempt is its driver's own when a person drove it from its first tick. Two kinds are not:
///
/// - Practice began in the state of a recording: `resume`, T while one is watched, an instructor's way back. It makes
///   no difference whose recording that was, since a part that could be chosen and repeated is not one attempt. Its
///   points are those of both drives together; it passes nothing and opens nothing.
/// - A scripted run was driven by the program or by a file of levers. Under a trainee's name it passes nothing and
///   opens nothing; under nobody's name it is a run to compare with.
///
/// Recordings and results store these facts as fields; the words of an operator's name are read here alone, for files
/// that were made before.
#ifndef SPADEWORK_TRAINER_CREDIT_H
#define SPADEWORK_TRAINER_CREDIT_H

#include <stdbool.h>
#include <stddef.h>

/// Who moved the levers. Stored by the names of credit_driver_name.
typedef enum CreditDriver {
    CREDIT_PERSON,
    CREDIT_AUTO, ///< the program's own operator
    CREDIT_EXPERT, ///< the program, by a list of actions
    CREDIT_SCRIPT, ///< a file of levers
    CREDIT_DRIVERS
} CreditDriver;

enum { CREDIT_PARENT = 256, CREDIT_CHANGED = 256 };

/// Zero: a person's own attempt.
typedef struct Credit {
    CreditDriver driver;
    double clumsy; ///< 0..1: how much of a beginner CREDIT_AUTO and CREDIT_EXPERT played
    char parent[CREDIT_PARENT]; ///< file's name, without a folder, of the recording it began in; "" = it began itself
    double from; ///< s of that recording; below 0: not known
} Credit;

/// "person", "auto", "expert" or "script".
const char *credit_driver_name(CreditDriver driver);
/// Reads such a name; false for another text.
bool credit_driver_named(const char *name, CreditDriver *driver);
/// Finds driver and clumsiness in an operator's name ("gamepad", "expert:pad, clumsy 0.50", "levers.csv"), which is all
/// that older files tell. The parent is left alone.
void credit_of_operator(const char *operator_name, Credit *credit);
/// Notes what it began in. path  of the recording; NULL or "": nothing. from  s of it
void credit_begin_in(Credit *credit, const char *path, double from);

/// Lists what was changed in a scene for one drive, KEY=VALUE of --set, the page or the menu: "weather.time=22; ...";
/// what does not fit is cut off with an ellipsis, "" for nothing.
void credit_list_changes(const char *const *set, int count, char changed[CREDIT_CHANGED]);
/// True where the points of such a drive may be compared with those of others at the scene: nothing was changed, or the
/// weather alone, which changes the picture and not the work.
bool credit_is_comparable(const char *changed);
/// True where points of two drives may be compared with each other: the same was changed, or nothing but weather.
bool credit_are_comparable(const char *changed, const char *other);

bool credit_is_practice(const Credit *credit);
/// True unless a person drove.
bool credit_is_scripted(const Credit *credit);
/// True where the attempt may pass and open something. trainee  whose name it bears; "" or NULL: nobody's
bool credit_counts(const Credit *credit, const char *trainee);
/// True of a run that others are compared with: scripted with steady hands, from its first tick, in nobody's name.
bool credit_is_expert(const Credit *credit, const char *trainee);

#endif
