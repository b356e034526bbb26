/// Whether an XML file is of an encoding of its own. Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_XML_ENCODING_H
#define SPADEWORK_DATA_XML_ENCODING_H

#include <stdbool.h>
#include <stddef.h>

/// True when the file says that it is not UTF-8: by its mark of UTF-16, or by `encoding` in its first tag, which is
/// ASCII. The parser then reads what that names.
bool xml_names_encoding(const char *text, size_t size);

#endif
