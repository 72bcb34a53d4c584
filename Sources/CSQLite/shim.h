#pragma once

// sqlite3_db_config takes any number of arguments, and so cannot be called from Swift.

struct sqlite3;
extern int sqlite3_db_config(struct sqlite3 *connection, int option, ...);

/// Sets one of SQLite's SQLITE_DBCONFIG_… switches of a connection; returns SQLite's code.
static inline int offerlift_configure(struct sqlite3 *connection, int option, int is_on) {
  return sqlite3_db_config(connection, option, is_on, (int *)0);
}
