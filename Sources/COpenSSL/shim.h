// Tables of a point's multiples are deprecated since OpenSSL 3.0, without anything in their place.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
