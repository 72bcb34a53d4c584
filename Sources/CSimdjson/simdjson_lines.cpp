#include "simdjson_lines.h"
