/// The help, printed from the table of commands and options: each option's name and value in a column, its lines beside
/// them.
#include <string.h>

#include "trainer/cli/cli_parse.h"
#include "trainer/cli/cli_table.h"

enum { OPTION_COLUMN = 21, SUMMARY_COLUMN = 46 }; ///< where an option's lines, and a command's summary, begin

static const char exit_codes[] =
    "Exit codes: 0 good, 1 bad input file, 2 bad usage, 3 verification failed, 4 the computer lacks something,\n"
    "128 + n ended by signal n.\n";

/// Prints lines, each behind the first indented to `column`.
static void print_indented(const char *lines, int column, FILE *file)
{
    for (const char *line = lines; line != NULL; line = strchr(line, '\n')) {
        if (line != lines) {
            line++;
            fprintf(file, "%*s", column, "");
        }
        fprintf(file, "%.*s\n", (int)strcspn(line, "\n"), line);
    }
}

static void print_option(const CliOption *option, FILE *file)
{
    char head[64];
    int length = snprintf(head, sizeof head, "  %s%s%s", option->name, option->value != NULL ? " " : "",
                          option->value != NULL ? option->value : "");
    fprintf(file, "%-*s", OPTION_COLUMN, head);
    if (length >= OPTION_COLUMN) {
        fprintf(file, "\n%*s", OPTION_COLUMN, "");
    }
    print_indented(option->help, OPTION_COLUMN, file);
}

static void print_overview(FILE *file)
{
    fputs("spadework - excavator operator training simulator\n\n", file);
    for (int k = 0; k < cli_command_count; k++) {
        const CliCommandRow *row = &cli_commands[k];
        int length = fprintf(file, "  spadework %s", row->brief);
        if (row->summary[0] == '\0') {
            fputc('\n', file);
            continue;
        }
        if (length > SUMMARY_COLUMN - 2) {
            length = 0;
            fputc('\n', file);
        }
        fprintf(file, "%*s%s\n", SUMMARY_COLUMN - length, "", row->summary);
    }
    fputs("  spadework COMMAND --help, --version\n\n"
          "Without arguments: the menu; without a display: a demonstration that a scripted operator drives.\n",
          file);
    fputs(exit_codes, file);
}

void cli_print_help(CliCommand topic, FILE *file)
{
    const CliCommandRow *row = cli_command_row(topic);
    if (row == NULL) {
        print_overview(file);
        return;
    }
    fprintf(file, "usage: spadework %s %s\n%s", row->name, row->takes, row->about);
    for (int k = 0; k < cli_option_count; k++) {
        if ((cli_options[k].on & 1U << topic) != 0) {
            print_option(&cli_options[k], file);
        }
    }
    if (row->exit_codes) {
        fputs(exit_codes, file);
    }
}
