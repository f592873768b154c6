import { readFile } from "node:fs/promises";
import { connect as connectTcp, isIP } from "node:net";
import { connect as connectTls } from "node:tls";
import { readBody } from "@waybill/client/support";
import { PostgresDatabase } from "../../../control/postgres/postgres-database.js";
import { type PostgresOptions, readAddress } from "../../../control/postgres/postgres-options.js";
import { MAX_KEY_SET_BYTES } from "../../../limits/data-limits.js";
import { credentialsError, readCredentials } from "../../../mirror/upstream/google-credentials.js";
import { systemReason } from "../../../model/system-error.js";
import { errorCode } from "../../../outgoing/requests.js";
import { type ClickHouseKeys, readConnectionOptions } from "../../../store/clickhouse/clickhouse-engine.js";
import { Connection } from "../../../store/clickhouse/connection.js";
import { type Finding, failed, ok, warning } from "./finding.js";

/** Timeout for connections and responses, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** Difference between two clocks, in milliseconds, that causes a warning. HTTP dates have whole seconds. */
const CLOCK_MS = 5_000;
/** Purpose of the statement that checks PostgreSQL, for its errors. */
const PURPOSE = "checking the database";

/** Reads an issuer's keys, and compares the clocks. */
export async function keysFindings(subject: string, url: string): Promise<readonly Finding[]> {
  try {
    const began = Date.now();
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    const theirs = Date.parse(response.headers.get("date") ?? "");
    const { bytes, isWhole } = await readBody(response, MAX_KEY_SET_BYTES);
    if (!isWhole)
      return [failed(subject, `${url} returned more than ${MAX_KEY_SET_BYTES} bytes`, "correct the address")];
    const count = keyCount(Buffer.from(bytes).toString());
    if (count === undefined || !response.ok)
      return [
        failed(
          subject,
          `${url} did not return a JSON key set; its status is ${response.status}`,
          "correct the address",
        ),
      ];
    const found = ok(subject, `${url} has ${count} keys`);
    return Number.isNaN(theirs) ? [found] : [found, clockFinding(subject, theirs, began)];
  } catch (error) {
    return [unreachable(subject, url, error)];
  }
}

export async function keyFileFindings(subject: string, path: string): Promise<readonly Finding[]> {
  const remedy =
    "write the issuer's JSON key set to this file; the server reads it again when a token needs it";
  try {
    const count = keyCount(await readFile(path, "utf8"));
    if (count === undefined) return [failed(subject, `${path} is not a JSON key set`, remedy)];
    return [ok(subject, `${path} has ${count} keys`)];
  } catch (error) {
    return [failed(subject, `${path}: ${systemReason(error) ?? errorCode(error)}`, remedy)];
  }
}

export async function credentialsFindings(subject: string, file: string): Promise<readonly Finding[]> {
  try {
    await readCredentials(file);
    return [ok(subject, file)];
  } catch (error) {
    const { message } = credentialsError(error);
    return [failed(subject, `${file}: ${message}`, "correct the path, or write the credentials to the file")];
  }
}

/** Counts keys in a JWK set (RFC 7517 §5). Returns undefined if the string is not a JWK set. */
function keyCount(text: string): number | undefined {
  try {
    const { keys } = Object(JSON.parse(text)) as { readonly keys?: unknown };
    return Array.isArray(keys) ? keys.length : undefined;
  } catch {
    return undefined;
  }
}

const unreachable = (subject: string, url: string, error: unknown): Finding =>
  failed(
    subject,
    `${url} cannot be reached: ${systemReason(Object(error).cause ?? error) ?? errorCode(error)}`,
    "check the address, DNS, firewalls and certificates between this machine and that server",
  );

/** Compares this machine's clock with another machine's. */
function clockFinding(subject: string, otherMs: number, nowMs: number): Finding {
  const seconds = Math.round((nowMs - otherMs) / 1_000);
  const detail =
    seconds === 0
      ? `agrees with ${subject}`
      : `${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} ${subject}`;
  return Math.abs(nowMs - otherMs) < CLOCK_MS
    ? ok("clock", detail)
    : warning("clock", detail, "synchronize this machine's clock, for example with chrony");
}

/** Opens a connection, with TLS for https, and sends nothing. */
export async function connectionFinding(subject: string, address: string): Promise<readonly Finding[]> {
  const { protocol, hostname, port, origin } = new URL(address);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const isTls = protocol === "https:";
  try {
    await new Promise<void>((done, fail) => {
      const at = { host, port: Number(port || (isTls ? 443 : 80)) };
      const socket = isTls
        ? connectTls({ ...at, ...(isIP(host) === 0 && { servername: host }) }, done)
        : connectTcp(at, done);
      socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error("ETIMEDOUT")));
      socket.on("error", fail).on("secureConnect", () => socket.destroy());
      socket.once("connect", () => isTls || socket.destroy());
    });
    return [ok(subject, `${origin} accepts connections`)];
  } catch (error) {
    return [unreachable(subject, origin, error)];
  }
}

export async function clickHouseFindings(url: string, keys: ClickHouseKeys): Promise<readonly Finding[]> {
  const subject = `ClickHouse at ${url}`;
  let connection: Connection | undefined;
  try {
    connection = new Connection({ ...(await readConnectionOptions(keys)), urls: [url] });
    const began = Date.now();
    const [version = "", seconds = ""] = (
      await connection.read("SELECT version(), toString(toUnixTimestamp(now()))")
    )
      .toString("latin1")
      .split(/[^\d.]+/)
      .filter((text) => text !== "");
    return [ok(subject, `version ${version}`), clockFinding(subject, 1_000 * Number(seconds), began)];
  } catch (error) {
    return [databaseFailure(subject, error, "store")];
  } finally {
    await connection?.close();
  }
}

export async function postgresFindings(options: PostgresOptions): Promise<readonly Finding[]> {
  let subject = "PostgreSQL";
  let database: PostgresDatabase | undefined;
  try {
    database = new PostgresDatabase({ address: await readAddress(options), connections: 1 });
    subject = database.place;
    const began = Date.now();
    const [row] = await database.query<{ version: string; now: Date }>(
      PURPOSE,
      "SELECT current_setting('server_version') AS version, now() AS now",
    );
    if (row === undefined) throw new Error("PostgreSQL returned no row");
    return [ok(subject, `version ${row.version}`), clockFinding(subject, row.now.getTime(), began)];
  } catch (error) {
    return [databaseFailure(subject, error, "control")];
  } finally {
    await database?.close();
  }
}

function databaseFailure(subject: string, error: unknown, key: string): Finding {
  // Errors of PostgreSQL begin with the statement's purpose and the database, which is the subject.
  const [reason = ""] = (systemReason(error) ?? (error as Error).message)
    .split(`${PURPOSE}: ${subject}: `)
    .slice(-1);
  return failed(
    subject,
    reason,
    `check that the database runs, and its address, user and password in ${key}`,
  );
}
