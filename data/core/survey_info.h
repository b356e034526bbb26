/// What an author of a scene has to know of a file of a survey office.
#ifndef SPADEWORK_DATA_SURVEY_INFO_H
#define SPADEWORK_DATA_SURVEY_INFO_H

enum {
    SURVEY_MOST_SURFACES = 64,
    SURVEY_NAME_LENGTH = 64,
    SURVEY_KEPT_FACES = 100000, ///< that a scene keeps, about: of more it takes a crop
};

/// A surface; lengths m, as the survey has them: east, north, height.
typedef struct SurveySurface {
    char name[SURVEY_NAME_LENGTH];
    int points, faces; ///< without the faces that measure nothing; no faces: more points than can be joined
    int loops; ///< of its boundary: one around each piece and each hole; 0: a grid too large to know
    double low[3], high[3];
    int long_count; ///< triangles between points that were left out, as they span holes or bays
    double longest; ///< m: edge of those that were not; 0: the file has triangles, or a grid
} SurveySurface;

/// Zero-initialise.
typedef struct SurveyInfo {
    const char *format; ///< "LandXML"; NULL: nothing was read
    char unit[SURVEY_NAME_LENGTH]; ///< of the file, by its own name
    int count;
    SurveySurface surfaces[SURVEY_MOST_SURFACES];
} SurveyInfo;

#endif
