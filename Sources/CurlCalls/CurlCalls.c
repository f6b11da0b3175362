// Everything is in the header, but a target needs a source file.
#include "CurlCalls.h"
