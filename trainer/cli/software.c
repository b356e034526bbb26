/// Libraries as they run, not as the program was built with them; fonts; programs that it starts.
#include <jansson.h>
#include <libxml/xmlversion.h>
#include <libpq-fe.h>
#include <libxml/parser.h>
#include <microhttpd.h>
#include <mosquitto.h>
#include <ode/ode.h>
#include <pango/pangocairo.h>
#include <png.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <xxhash.h>
#include <yaml.h>
#include <zstd.h>

#include "data/core/program_file.h"
#include "trainer/cli/looks.h"

void look_add_library(SoftwareFacts *software, const char *name, const char *version)
{
    if (software->count < DOCTOR_MOST_LIBRARIES) {
        LibraryFacts *library = &software->libraries[software->count++];
        snprintf(library->name, sizeof library->name, "%s", name);
        snprintf(library->version, sizeof library->version, "%s", version);
    }
}

/// Versions that a library tells as one number.
static void add_number(SoftwareFacts *software, const char *name, unsigned number, unsigned base)
{
    char version[40];
    snprintf(version, sizeof version, "%u.%u.%u", number / base / base, number / base % base, number % base);
    look_add_library(software, name, version);
}

static void add_mosquitto(SoftwareFacts *software)
{
    char version[40];
    int major, minor, revision;
    mosquitto_lib_version(&major, &minor, &revision);
    snprintf(version, sizeof version, "%d.%d.%d", major, minor, revision);
    look_add_library(software, "libmosquitto", version);
}

/// PostgreSQL has had two numbers since version 10.
static void add_postgres(SoftwareFacts *software)
{
    char version[40];
    snprintf(version, sizeof version, "%d.%d", PQlibVersion() / 10000, PQlibVersion() % 10000);
    look_add_library(software, "libpq", version);
}

static int count_fonts(void)
{
    PangoFontFamily **families = NULL;
    int count = 0;
    pango_font_map_list_families(pango_cairo_font_map_get_default(), &families, &count);
    g_free(families);
    return count;
}

void look_at_software(DoctorFacts *facts, DoctorTell *tell)
{
    SoftwareFacts *software = &facts->software;
    software->film = program_is_there("ffmpeg");
    software->browser = program_is_there("xdg-open");
    software->ode_double = dCheckConfiguration("ODE_double_precision") != 0;
    look_add_library(software, "ODE", dODE_VERSION); // the library does not tell
    look_add_library(software, "SQLite", sqlite3_libversion());
    look_add_library(software, "zstd", ZSTD_versionString());
    look_add_library(software, "libsodium", sodium_version_string());
    add_number(software, "xxHash", XXH_versionNumber(), 100);
    look_add_library(software, "libyaml", yaml_get_version_string());
    add_number(software, "libxml2", (unsigned)strtoul(xmlParserVersion, NULL, 10), 100);
    look_add_library(software, "jansson", jansson_version_str());
    look_add_library(software, "libmicrohttpd", MHD_get_version());
    add_postgres(software);
    add_mosquitto(software);
    add_number(software, "libpng", png_access_version_number(), 100);
    look_add_library(software, "cairo", cairo_version_string());
    look_add_library(software, "pango", pango_version_string());
    doctor_tell(tell, facts);
    software->fonts = count_fonts();
}
