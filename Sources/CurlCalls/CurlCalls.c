// All of it is in the header; a target needs a source file.
#include "CurlCalls.h"
