// Serves the current engine over its HTTP interface, with its data in a directory: chdb-server.mjs DIRECTORY. Prints
// the port. Requests from
// @clickhouse/client are passed to the engine unchanged.
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { CHDB_PACKAGE } from "./chdb-package.mjs";
import "../servers/stop-with-parent.mjs";

const [directory] = process.argv.slice(2);
const native = createRequire(import.meta.url)(join(CHDB_PACKAGE, "dist/loader.js")).loadNative();

/** Parameters of the interface that are not settings of the engine. */
const OWN_PARAMETERS = new Set(["query", "query_id", "database", "wait_end_of_query"]);
/** Number of concurrent statements, each on its own connection. */
const CONNECTIONS = 4;

const free = Array.from({ length: CONNECTIONS }, () => native.CreateConnection(directory));
const waiting = [];
let files = 0;

async function withConnection(work) {
  const connection = free.pop() ?? (await new Promise((resolve) => waiting.push(resolve)));
  try {
    return await work(connection);
  } finally {
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    else next(connection);
  }
}

/** Runs a statement. If rows are passed, the statement is an INSERT of them. */
async function run(parameters, body) {
  const settings = [...parameters].filter(([name]) => !OWN_PARAMETERS.has(name));
  const insert = parameters.get("query");
  return withConnection(async (connection) => {
    const query = (sql) => native.QueryAsyncConnection(connection, sql, "TabSeparated");
    // The engine keeps settings for later statements on the same connection.
    const set = (textOf) =>
      settings.length === 0 ? undefined : query(`SET ${settings.map((one) => `${one[0]} = ${textOf(one)}`)}`);
    await set(([, value]) => (/^\d+$/.test(value) ? value : `'${value}'`));
    try {
      return (await (insert === null ? query(body.toString()) : insertRows(query, insert, body))).bytes;
    } finally {
      await set(() => "DEFAULT");
    }
  });
}

/** Inserts rows from a file: behind a statement, two line feeds would end them. */
async function insertRows(query, statement, rows) {
  const [, table, columns] = /^INSERT INTO (\S+)\s+\((.*)\)\s+FORMAT RowBinary$/s.exec(statement);
  const described = (await query(`DESCRIBE TABLE ${table} FORMAT JSONCompact`)).bytes.toString();
  const types = new Map(JSON.parse(described).data.map(([name, type]) => [name, type]));
  const structure = columns.split(/,\s*/).map((name) => `${name} ${types.get(name)}`);
  const file = join(directory, `rows-${++files}`);
  writeFileSync(file, rows);
  try {
    return await query(
      `INSERT INTO ${table} (${columns}) SELECT * FROM file('${file}', RowBinary, '${structure.join(", ")}')`,
    );
  } finally {
    rmSync(file);
  }
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { searchParams } = new URL(request.url, "http://localhost");
  try {
    response.end(await run(searchParams, Buffer.concat(chunks)));
  } catch (error) {
    response.writeHead(500).end(`${error.message}\n`);
  }
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
