#!/bin/sh
# Every text that the sources mark for the screen has a translation in every language, in the form that it has in English.
#   SOURCE_DIR  repository (default: this one)
# First it checks itself: it must see a text without a translation, and one whose places for values are others.
set -u
here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
cd "${SOURCE_DIR:-$here/../..}" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8

# marked OUT FILE...: the texts that sources give to language_text and reader_text, mark with TEXT, or list as the third of an X(id, name, text).
marked() {
    out=$1
    shift
    xgettext --from-code=UTF-8 --language=C --keyword --keyword=language_text --keyword=reader_text:2 --keyword=TEXT --keyword=X:3,3t --omit-header --no-wrap \
        --flag=language_text:1:pass-c-format --flag=reader_text:2:pass-c-format \
        -o "$out.body" "$@" || return 1
    { printf 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'; cat "$out.body"; } >"$out"
}

# missing PO POT: the texts that the language lacks, or has in another form; false when there are any.
missing() {
    msgmerge --quiet --no-fuzzy-matching -o "$work/merged.po" "$1" "$2" || return 1
    msgfmt --check-format -o "$work/checked.mo" "$work/merged.po" 2>&1 || return 1
    msgattrib --untranslated --no-obsolete --no-wrap "$work/merged.po" >"$work/lacking"
    ! grep -E '^(#:|msgid|")' "$work/lacking" | grep -v '^msgid ""$\|^"Content'
}

broken() {
    echo "texts.sh itself is broken: $1"
    exit 1
}

check_itself() {
    printf '/// Example.\nconst char *f(void) { return language_text(TEXT("one") ? "%%d two" : "") }\nchar *g = language_text("%%d two");\n' >"$work/a.c"
    marked "$work/a.pot" "$work/a.c" || broken "it reads no source"
    head='msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    printf "$head"'msgid "one"\nmsgstr "eins"\n\n#, c-format\nmsgid "%%d two"\nmsgstr "%%d zwei"\n' >"$work/good.po"
    missing "$work/good.po" "$work/a.pot" >/dev/null || broken "it refuses what is complete"
    printf "$head"'msgid "one"\nmsgstr ""\n\n#, c-format\nmsgid "%%d two"\nmsgstr "%%d zwei"\n' >"$work/empty.po"
    missing "$work/empty.po" "$work/a.pot" >/dev/null && broken "it does not see an empty translation"
    printf "$head"'msgid "one"\nmsgstr "eins"\n' >"$work/less.po"
    missing "$work/less.po" "$work/a.pot" >/dev/null && broken "it does not see a missing text"
    printf "$head"'msgid "one"\nmsgstr "eins"\n\n#, c-format\nmsgid "%%d two"\nmsgstr "%%s zwei"\n' >"$work/other.po"
    missing "$work/other.po" "$work/a.pot" >/dev/null && broken "it does not see another value's place"
}

check_itself
[ "${1-}" != --self-check ] || exit 0
# shellcheck disable=SC2046 # names of sources have no spaces
marked "$work/screen.pot" $(find data input machine render trainer -name '*.[ch]' | sort) || exit 1
result=0
for language in $(find data/texts -maxdepth 1 -name '*.po' | sed 's,.*/,,; s,\.po$,,' | sort); do
    msgcat --use-first -o "$work/$language.po" "data/texts/$language.po" "data/texts/screen/$language.po" || result=1
    if ! missing "$work/$language.po" "$work/screen.pot"; then
        echo "data/texts/screen/$language.po: texts above have no translation; msgmerge with: sh tests/unit/texts.sh --list"
        result=1
    fi
done
[ "${1-}" != --list ] || cat "$work/screen.pot"
exit $result
