// Dumps of databases, for upgrade fixtures.
import { spawnSync } from "node:child_process";

/**
 * Returns statements that restore a ClickHouse database: each table's definition and INSERT, with its rows in RowBinary and base64.
 */
export async function dumpClickHouse(url, database) {
  const read = async (sql) => {
    const response = await fetch(url, { method: "POST", body: sql });
    if (!response.ok) throw new Error(await response.text());
    return Buffer.from(await response.arrayBuffer());
  };
  const rowsOf = async (sql) => JSON.parse(await read(`${sql} FORMAT JSONCompact`)).data;
  const tables = await rowsOf(
    `SELECT name, engine, create_table_query FROM system.tables WHERE database = '${database}' ORDER BY engine = 'View', name`,
  );
  const dumped = [];
  for (const [name, engine, create] of tables) {
    const columns = await rowsOf(
      `SELECT name FROM system.columns WHERE database = '${database}' AND table = '${name}' ORDER BY position`,
    );
    const list = columns.join(", ");
    const rows =
      engine === "View"
        ? Buffer.alloc(0)
        : await read(`SELECT ${list} FROM ${database}.${name} FORMAT RowBinary`);
    dumped.push({
      create,
      insert: `INSERT INTO ${database}.${name} (${list}) FORMAT RowBinary`,
      rows: rows.toString("base64"),
    });
  }
  return dumped;
}

/** Returns the SQL that restores Waybill's schema of a PostgreSQL database. Any client can run it. */
export function dumpPostgres(url) {
  const args = ["--schema=waybill", "--inserts", "--no-owner", "--no-privileges", "--dbname", url];
  const { status, stdout } = spawnSync("pg_dump", args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error("pg_dump failed");
  // Comments, and commands of psql.
  return stdout.replaceAll(/^(?:--|\\).*\n/gm, "").replaceAll(/\n{2,}/g, "\n");
}
