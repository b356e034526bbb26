/// Prints the manual page (`command_pages man`) and bash's completion (`command_pages bash`) from the table of the
/// command line, which the parser and the help read, too: so neither can tell of an option that there is none of.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "data/schema/settings_params.h"
#include "trainer/cli/cli.h"

static bool takes_option(const CliCommandRow *row, const CliOption *option)
{
    return (option->on & 1U << row->command) != 0;
}

/// ---- manual page ---------------------------------------------------------------------------------------------------

/// Prints text so that roff takes none of it for a request, and hyphens can be copied.
static void print_roff(const char *text, size_t length)
{
    bool begins = true;
    for (size_t k = 0; k < length; k++) {
        if (begins && (text[k] == '.' || text[k] == '\'')) {
            fputs("\\&", stdout);
        }
        begins = text[k] == '\n';
        if (text[k] == '\\') {
            fputs("\\e", stdout);
        } else if (text[k] == '-') {
            fputs("\\-", stdout);
        } else {
            putchar(text[k]);
        }
    }
}

static void print_words(const char *before, const char *text, const char *behind)
{
    fputs(before, stdout);
    print_roff(text, strlen(text));
    fputs(behind, stdout);
}

/// Lines that begin with spaces stay lines, with their columns; all others are filled.
static void print_about(const char *about)
{
    bool table = false;
    for (const char *line = about; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        bool now = line[0] == ' ';
        if (now != table) {
            puts(now ? ".PP\n.nf" : ".fi\n.PP");
        }
        table = now;
        print_roff(line, length);
        putchar('\n');
        line += length + (line[length] == '\n');
    }
    if (table) {
        puts(".fi");
    }
}

static void print_command(const CliCommandRow *row)
{
    print_words(".SS \"spadework ", row->name, " ");
    print_words("", row->takes, "\"\n");
    print_about(row->about);
    for (int k = 0; k < cli_option_count; k++) {
        const CliOption *option = &cli_options[k];
        if (takes_option(row, option)) {
            print_words(".TP\n\\fB", option->name, "\\fR");
            if (option->value != NULL) {
                print_words(" \\fI", option->value, "\\fR");
            }
            print_words("\n", option->help, "\n");
        }
    }
}

static void print_man(void)
{
    puts(".TH SPADEWORK 1 \"\" \"spadework " SPADEWORK_VERSION "\" \"User Commands\"\n"
         ".SH NAME\nspadework \\- excavator and bulldozer operator training simulator\n"
         ".SH SYNOPSIS\n.nf\n"
         "\\fBspadework\\fR [\\fICOMMAND\\fR [\\fIARGUMENT\\fR]... [\\fIOPTION\\fR]...]\n"
         "\\fBspadework\\fR [\\fICOMMAND\\fR] \\fB\\-\\-help\\fR\n\\fBspadework \\-\\-version\\fR\n.fi\n"
         ".SH DESCRIPTION\n"
         "You drive an excavator or a bulldozer in real soil with a gamepad, joysticks or the keyboard. Without\n"
         "arguments the menu opens; without a display a scripted operator drives a demonstration.\n"
         ".SH COMMANDS");
    for (int k = 0; k < cli_command_count; k++) {
        print_command(&cli_commands[k]);
    }
    puts(
        ".SH EXIT STATUS\n"
        "0 good; 1 a bad input file; 2 bad usage; 3 a verification failed; 4 the computer lacks something (a display,\n"
        "a device, disk space); 128 + n ended by signal n. Each failure is one line on stderr.\n"
        ".SH SIGNALS\n"
        "SIGINT, SIGTERM and SIGHUP end a drive in good order: the recording is closed, the figures are printed, and "
        "the\n"
        "exit status is that of any drive. Verifying, exporting, scoring anew and reports end without leaving a part\n"
        "(but for demonstrations, whose .part can be read), with 128 + n. A second signal ends the program at once. "
        "SIGHUP stays ignored where it was begun\n"
        "by nohup.\n"
        ".SH ENVIRONMENT\n"
        ".TP\n.B SPADEWORK_DATA\nfolder of the shipped data, in place of the installed one\n"
        ".TP\n.BR XDG_DATA_HOME \", \" XDG_CONFIG_HOME\nwhere the folders of the user lie (see FILES)\n"
        ".TP\n.BR LANGUAGE \", \" LC_ALL \", \" LC_MESSAGES \", \" LANG\n"
        "language of exercises and window, where neither \\-\\-language nor the settings say another\n"
        ".TP\n.B TMPDIR\nwhere copies of damaged recordings are put right\n"
        ".TP\n.BR SDL_VIDEODRIVER \", \" SDL_AUDIODRIVER\nwhich display and which sound output SDL uses\n"
        ".SH FILES\n"
        ".TP\n.I ~/.local/share/spadework\nresults.db, recordings/ and the user's own scenes/\n"
        ".TP\n.I ~/.config/spadework/settings.yaml\nsettings; see: spadework reference settings\n"
        ".SH SEE ALSO\n"
        "README.md and SECURITY.md in the folder of documents of this package.");
}

/// ---- completion of bash --------------------------------------------------------------------------------------------

/// True for a word that an option takes: asked of the option's own reader.
static bool is_value(const CliOption *option, const char *word)
{
    Status unused;
    int number = 0;
    SoilSolver solver;
    SettingsSides windows = {0};
    switch (option->type) {
    case CLI_CAMERA:
        return cli_read_camera(word, &number, &unused);
    case CLI_QUALITY:
        return cli_read_quality(word, &number, &unused);
    case CLI_VIEW:
        return cli_read_view(option->name, word, &number, &unused);
    case CLI_SOLVER:
        return cli_read_solver(word, &solver, &unused);
    case CLI_WINDOW:
        return cli_read_window(word, &windows, &unused);
    default:
        return false;
    }
}

/// The kind of shipped files that a value is a name of; "" = none.
static const char *kind_of(const char *value)
{
    return strncmp(value, "SCENE", 5) == 0                           ? "scenes"
           : strcmp(value, "MAP") == 0 || strcmp(value, "BASE") == 0 ? "controls"
           : strcmp(value, "WHO") == 0                               ? "operators"
                                                                     : "";
}

static void print_option_case(const CliCommandRow *row, const CliOption *option)
{
    static const char *const words[] = {
#define X(id, name) name,
        CAMERAS(X)
#undef X
            "off",
        "auto",
        "on",
        "1",
        "2",
        "3",
        "high",
        "medium",
        "low",
        "default",
        "p2",
        "gs"};
    printf("    %s:%s) ", row->name, option->name);
    bool file = option->type == CLI_INPUT || option->type == CLI_OUTPUT || option->type == CLI_SHOT ||
                option->type == CLI_STILL || option->type == CLI_GROUND || strcmp(option->value, "DIR") == 0 ||
                strcmp(option->value, "DB") == 0;
    fputs("words=\"", stdout);
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        if (is_value(option, words[k])) {
            printf("%s ", words[k]);
        }
    }
    printf("\" kind=%s files=%s options= ;;\n",
           strcmp(option->name, "--course") == 0 ? "courses" : kind_of(option->value), file ? "yes" : "");
}

/// What may stand behind a command: words of its own, names of shipped files, and files.
static void print_command_case(const CliCommandRow *row)
{
    printf("    %s:*) options=\"", row->name);
    for (int k = 0; k < cli_option_count; k++) {
        if (takes_option(row, &cli_options[k])) {
            printf("%s ", cli_options[k].name);
        }
    }
    fputs("--help\" words=\"", stdout);
    size_t first = strcspn(row->takes, " ");
    bool choice = memchr(row->takes, '|', first) != NULL;
    bool word = row->takes[0] >= 'a' && row->takes[0] <= 'z';
    for (size_t k = 0; word && k < first; k++) {
        putchar(row->takes[k] == '|' ? ' ' : row->takes[k]);
    }
    // Verbs stand in the help, each at the beginning of an indented line.
    for (const char *line = strstr(row->about, "\n  "); line != NULL; line = strstr(line + 1, "\n  ")) {
        if (line[3] != ' ') {
            printf("%.*s ", (int)strcspn(line + 3, " "), line + 3);
        }
    }
    const char *kind = kind_of(row->takes[0] == '[' ? row->takes + 1 : row->takes);
    printf("\" kind=%s files=%s ;;\n", kind, choice || row->takes[0] == '[' ? "" : "yes");
}

static void print_bash(void)
{
    puts("# Completion of bash for spadework, made from its table of commands.\n"
         "_spadework()\n{\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    local words= kind= files= options=\n"
         "    COMPREPLY=()\n"
         "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "        before= words=\"");
    for (int k = 0; k < cli_command_count; k++) {
        printf("%s ", cli_commands[k].name);
    }
    puts("--help --version\"\n    fi\n"
         "    case ${COMP_WORDS[1]}:$before in");
    for (int c = 0; c < cli_command_count; c++) {
        for (int k = 0; k < cli_option_count; k++) {
            if (cli_options[k].value != NULL && takes_option(&cli_commands[c], &cli_options[k])) {
                print_option_case(&cli_commands[c], &cli_options[k]);
            }
        }
        print_command_case(&cli_commands[c]);
    }
    puts("    esac\n"
         "    case $kind in\n"
         "    operators) words='gamepad keyboard auto expert' ;;\n"
         "    ?*) words=\"$words $(\"$1\" list \"$kind\" 2>/dev/null | cut -d ' ' -f 1)\" ;;\n"
         "    esac\n"
         "    case $word in\n"
         "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
         "    *)\n"
         "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "        if [ -n \"$files\" ]; then\n"
         "            compopt -o filenames 2>/dev/null\n"
         "            local IFS=$'\\n'\n"
         "            COMPREPLY+=($(compgen -f -- \"$word\"))\n"
         "        fi ;;\n"
         "    esac\n"
         "}\n"
         "complete -F _spadework spadework");
}

int main(int argc, char **argv)
{
    bool man = argc == 2 && strcmp(argv[1], "man") == 0, bash = argc == 2 && strcmp(argv[1], "bash") == 0;
    if (man) {
        print_man();
    } else if (bash) {
        print_bash();
    } else {
        fputs("usage: command_pages man|bash\n", stderr);
        return 2;
    }
    return fflush(stdout) == 0 ? 0 : 4;
}
