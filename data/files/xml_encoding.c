/// Looks at the first bytes, as XML 1.0, appendix F, says.
#include "data/files/xml_encoding.h"

#include <string.h>

bool xml_names_encoding(const char *text, size_t size)
{
    char tag[128] = "";
    memcpy(tag, text, size < sizeof tag - 1 ? size : sizeof tag - 1);
    tag[strcspn(tag, ">")] = '\0';
    const char *encoding = strstr(tag, "encoding");
    bool wide = memcmp(tag, "\xff\xfe", 2) == 0 || memcmp(tag, "\xfe\xff", 2) == 0;
    return wide || (encoding != NULL && strstr(encoding, "UTF-8") == NULL && strstr(encoding, "utf-8") == NULL);
}
