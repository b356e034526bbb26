# Checks how the named sources are written: awk -f style.awk public=FILE,FILE... FILE...
# Prints one line a fault:
#   a line over 120 columns; a file over 1500 lines; a function over 60 lines;
#   a .c or .h that does not begin with a comment; in the public headers a double or float without its unit;
#   a comment outside tests/ that speaks of code as of people (CONTRIBUTING.md, "How it is written").
# A member or variable has its unit in the comment behind it, or in the one above it. The parameters and the result of a
# function have theirs in the comment above: it contains a unit, and the name of every parameter that is a double or float.

BEGIN {
    longest_line = 120
    longest_file = 1500
    longest_function = 60
    # A unit stands alone: `m`, `kg/m3`, `N m s`, `1/s`, `0..1`, `radii`; angles, shares and ratios are named as such.
    one = "(m[23]?|mm|s|h|kg|t|N|kN|Pa|kPa|MPa|W|kW|J|K|rad|degrees?|Hz|l|ms|s2)"
    unit = "(^|[^A-Za-z0-9_'])" one "([\\/ ]" one ")*([^A-Za-z0-9_']|$)"
    none = "[0-9]\\.\\.[-0-9]|unit|[Ss]hare|[Rr]atio|[Ff]actor|[Ff]raction|pixel|1/s|quanta|clicks|[Ss]ample|times|radii"
}

function refuse(line, why) { printf "%s:%d: %s\n", FILENAME, line, why; faults++ }
function has_unit(text) { return text ~ unit || text ~ none }

function end_of_file() {
    if (lines > longest_file) { printf "%s: %d lines; allowed are %d: one concept a file\n", file, lines, longest_file; faults++ }
}

FNR == 1 {
    if (file != "") end_of_file()
    file = FILENAME
    is_public = index("," public ",", "," file ",") > 0
    if ($0 !~ /^\/\/\/ ./) refuse(1, "does not begin with a comment (///) that says what it is for")
    above = statement = ""
    in_function = 0
}

{
    lines = FNR
    columns = $0
    gsub(/[\200-\277]/, "", columns) # the further bytes of a character
    if (length(columns) > longest_line) refuse(FNR, length(columns) " columns; allowed are " longest_line)
}

FILENAME !~ /^tests\// && match($0, /\/\/.*/) {
    comment_text = substr($0, RSTART)
    if (comment_text ~ /[Ww]hoever|(is|are) told|[^a-z](hears|minds)[^a-z]|lookers?[^a-z_]|[^n]ever more/)
        refuse(FNR, "say what the code does, in the field\047s words: " comment_text)
}

/^\{/ { function_start = FNR }
/^\}/ && function_start {
    if (FNR - function_start - 1 > longest_function)
        refuse(function_start, FNR - function_start - 1 " lines of one function; allowed are " longest_function)
    function_start = 0
}

# Declarations alone: neither the body of an inline function nor a constant that is written out.
is_public && !function_start && !/^static const/ {
    code = $0
    comment = ""
    if (match(code, /\/\/.*/)) { comment = substr(code, RSTART); code = substr(code, 1, RSTART - 1) }
    sub(/^[ \t]+/, "", code)
    if (code == "") {
        if (comment == "") above = ""
        else above = (statement == "" && !comment_only ? "" : above) " " comment
        comment_only = 1
        if (comment != "") next
        next
    }
    comment_only = 0
    if (statement == "") { statement_line = FNR; statement_comment = "" }
    statement = statement " " code
    statement_comment = statement_comment " " comment
    if (code ~ /[{}]/ && code !~ /;/) { statement = ""; above = ""; next }
    if (code !~ /;/ && code !~ /^#/) next
    if (statement ~ /(^|[ (])(double|float)[ *]/ && code !~ /^#/) {
        if (statement ~ /\)[^)]*;/) {
            if (!has_unit(above statement_comment)) refuse(statement_line, "no unit in the comment of " statement)
            else {
                rest = statement
                sub(/^[^(]*\(/, "", rest)
                count = split(rest, parameter, ",")
                for (k = 1; k <= count; k++) {
                    name = parameter[k]
                    if (name !~ /(double|float)[ *]/) continue
                    sub(/[\[)].*/, "", name)
                    sub(/.*[ *]/, "", name)
                    if ((above statement_comment) !~ ("(^|[^A-Za-z0-9_])" name "([^A-Za-z0-9_]|$)"))
                        refuse(statement_line, "the comment does not name `" name "` of" statement)
                }
            }
        } else if (!has_unit(statement_comment) && !has_unit(above)) refuse(statement_line, "no unit beside" statement)
    }
    statement = ""
    above_used = 1
}

END {
    if (file != "") end_of_file()
    exit faults > 0
}
