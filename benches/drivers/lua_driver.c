// Runs a Lua script: lua_driver FILE [ARGUMENT...].
#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include <stdio.h>

int main(int argc, char **argv) {
  lua_State *L = luaL_newstate();
  if (!L || argc < 2)
    return 2;
  luaL_openlibs(L);
  int failed = luaL_loadfile(L, argv[1]);
  if (!failed) {
    for (int i = 2; i < argc; ++i)
      lua_pushstring(L, argv[i]);
    failed = lua_pcall(L, argc - 2, 0, 0);
  }
  if (failed)
    fprintf(stderr, "%s\n", lua_tostring(L, -1));
  lua_close(L);
  return failed != 0;
}
