// Fills an in-memory database, queries it in many ways and prints the answers.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static sqlite3 *db;

static void check(int rc, const char *sql) {
  if (rc == SQLITE_OK || rc == SQLITE_DONE || rc == SQLITE_ROW)
    return;
  fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
  exit(1);
}

static int print_row(void *unused, int n, char **values, char **names) {
  (void)unused, (void)names;
  for (int i = 0; i < n; ++i)
    printf("%s%c", values[i] ? values[i] : "null", i + 1 < n ? '|' : '\n');
  return 0;
}

static void run(const char *sql) {
  printf("> %s\n", sql);
  check(sqlite3_exec(db, sql, print_row, 0, 0), sql);
}

static unsigned next_random(void) {
  static unsigned state = 12345;
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

static void fill(int people, int orders) {
  sqlite3_stmt *s;
  char text[64];
  const char *sql = "insert into person values (?, ?, ?)";
  check(sqlite3_prepare_v2(db, sql, -1, &s, 0), sql);
  for (int i = 0; i < people; ++i) {
    snprintf(text, sizeof text, "name %x of %d", next_random() % 4096, i);
    sqlite3_bind_int(s, 1, i);
    sqlite3_bind_text(s, 2, text, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(s, 3, next_random() % 50);
    check(sqlite3_step(s), sql);
    sqlite3_reset(s);
  }
  sqlite3_finalize(s);
  sql = "insert into purchase(who, day, price) values (?, ?, ?)";
  check(sqlite3_prepare_v2(db, sql, -1, &s, 0), sql);
  for (int i = 0; i < orders; ++i) {
    sqlite3_bind_int(s, 1, next_random() % people);
    sqlite3_bind_int(s, 2, next_random() % 365);
    sqlite3_bind_double(s, 3, (next_random() % 100000) / 100.0);
    check(sqlite3_step(s), sql);
    sqlite3_reset(s);
  }
  sqlite3_finalize(s);
}

int main(int argc, char **argv) {
  int scale = argc > 1 ? atoi(argv[1]) : 1;
  check(sqlite3_open(":memory:", &db), "open");
  run("create table person(id integer primary key, name text, town int)");
  run("create table purchase(id integer primary key, who int references "
      "person, day int, price real)");
  run("begin");
  fill(2000 * scale, 20000 * scale);
  run("commit");
  run("select count(*), sum(price), min(day), max(day) from purchase");
  run("select town, count(*) c, round(avg(length(name)), 3) from person "
      "group by town having c > 35 order by c desc, town limit 5");
  run("create index by_who on purchase(who, day)");
  run("select p.name, count(*), round(sum(o.price), 2) t from person p join "
      "purchase o on o.who = p.id where p.town between 3 and 9 group by p.id "
      "order by t desc, p.id limit 7");
  run("select day / 30 m, printf('%.2f', total(price)) from purchase group by "
      "m order by m");
  run("with recursive f(i, a, b) as (select 1, 0, 1 union all select i + 1, "
      "b, a + b from f where i < 60) select max(a) from f");
  run("select who, day, rank() over (partition by who order by price desc) r "
      "from purchase where who < 3 order by who, r, day limit 9");
  run("update purchase set price = price * 1.1 where day % 7 = 3");
  run("delete from purchase where who in (select id from person where town = "
      "11)");
  run("select count(*), round(sum(price), 2) from purchase");
  run("select json_group_array(json_object('id', id, 'town', town)) from "
      "person where id % 499 = 0");
  run("create virtual table words using fts5(name)");
  run("insert into words select name from person");
  run("select count(*) from words where words match 'name AND 1*'");
  run("select hex(substr(group_concat(name, char(10)), 1000, 24)) from person");
  run("pragma integrity_check");
  check(sqlite3_close(db), "close");
  return 0;
}
