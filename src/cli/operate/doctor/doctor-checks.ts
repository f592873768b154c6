import { X509Certificate } from "node:crypto";
import { constants } from "node:fs";
import { access, readFile, stat, statfs } from "node:fs/promises";
import { connect as connectTcp, isIP } from "node:net";
import { dirname, resolve } from "node:path";
import { connect as connectTls } from "node:tls";
import { PostgresDatabase } from "../../../control/postgres/postgres-database.js";
import { type PostgresOptions, readAddress } from "../../../control/postgres/postgres-options.js";
import { systemReason } from "../../../model/system-error.js";
import { errorCode } from "../../../outgoing/requests.js";
import type { Config } from "../../../server/config/config-schema.js";
import { type ClickHouseKeys, readConnectionOptions } from "../../../store/clickhouse/clickhouse-engine.js";
import { Connection } from "../../../store/clickhouse/connection.js";

/** Result of one check. */
export interface Finding {
  readonly state: "ok" | "warning" | "failed";
  /** Subject of the check, such as `disk` or `auth.issuers[0]`. */
  readonly subject: string;
  /** Description of the found state. */
  readonly detail: string;
  /** Way to solve the problem; omitted if there is none. */
  readonly remedy?: string;
}

/** Timeout for connections and responses, in milliseconds. */
const TIMEOUT_MS = 5_000;
const DAY_MS = 86_400_000;
/** Remaining validity of certificates, in days, below which a warning is due. */
const CERTIFICATE_DAYS = 14;
/** Shares of the disk that should be free. */
const FREE = { warning: 0.15, failed: 0.03 };
/** Difference between two clocks, in milliseconds, that causes a warning. HTTP dates have whole seconds. */
const CLOCK_MS = 5_000;

const ok = (subject: string, detail: string): Finding => ({ state: "ok", subject, detail });
const warning = (subject: string, detail: string, remedy: string): Finding => ({
  state: "warning",
  subject,
  detail,
  remedy,
});
const failed = (subject: string, detail: string, remedy: string): Finding => ({
  state: "failed",
  subject,
  detail,
  remedy,
});

/** Runs all checks that a config needs, and yields their findings in order. */
export async function* findingsOf(config: Config): AsyncGenerator<Finding> {
  const { tls, projects, auth, control, store, messagingData } = config;
  yield* await directoryFindings(config.dataDir);
  yield await serverFinding(config);
  if (tls !== undefined) yield await certificateFinding(tls.certificate);
  const reachable: Promise<readonly Finding[]>[] = [
    ...auth.issuers.flatMap(({ jwksFile, jwksUri, introspectionUrl }, index) => [
      ...(jwksFile === undefined ? [] : [keyFileFindings(`auth.issuers[${index}].jwksFile`, jwksFile)]),
      ...(jwksUri === undefined ? [] : [keysFindings(`auth.issuers[${index}].jwksUri`, jwksUri)]),
      ...(introspectionUrl === undefined
        ? []
        : [connectionFinding(`auth.issuers[${index}].introspectionUrl`, introspectionUrl)]),
    ]),
    ...projects.flatMap(({ id, deliveryData }) =>
      deliveryData.source === "mirror" ? [connectionFinding(`mirror of ${id}`, deliveryData.mirror.url)] : [],
    ),
    ...messagingData.incidents.webhooks.map(({ name, url }) => connectionFinding(`webhook ${name}`, url)),
    ...(store.engine === "clickhouse" ? store.urls.map((url) => clickHouseFindings(url, store)) : []),
    ...(control.engine === "postgres" ? [postgresFindings(control)] : []),
  ];
  for (const findings of reachable) yield* await findings;
}

/** Checks the data directory: existence, permissions and disk space. */
async function directoryFindings(directory: string): Promise<readonly Finding[]> {
  const subject = "data directory";
  const path = resolve(directory);
  const existing = await existingPart(path);
  if (existing !== path) {
    const detail = `${path} does not exist; the server creates it`;
    return [(await isWritable(existing)) ? ok(subject, detail) : notWritable(subject, existing)];
  }
  if (!(await stat(path)).isDirectory())
    return [failed(subject, `${path} is not a directory`, "set dataDir, or --data-dir, to a directory")];
  if (!(await isWritable(path))) return [notWritable(subject, path)];
  const { mode } = await stat(path);
  const isPrivate = (mode & 0o077) === 0;
  return [
    isPrivate ? ok(subject, path) : warning(subject, `${path}: other users have access`, `chmod 700 ${path}`),
    await diskFinding(path),
  ];
}

async function existingPart(path: string): Promise<string> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  return isThere ? path : existingPart(dirname(path));
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

const notWritable = (subject: string, path: string): Finding =>
  failed(subject, `${path}: permission denied`, "run this command and the server as the directory's owner");

async function diskFinding(path: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(path);
  const free = bavail / blocks;
  const gib = ((bavail * bsize) / 2 ** 30).toFixed(1);
  const detail = `${gib} GiB free, ${(100 * free).toFixed(0)} % of the disk`;
  const remedy = "free disk space, or shorten messagingData.retention";
  if (free < FREE.failed) return failed("disk", detail, remedy);
  return free < FREE.warning ? warning("disk", detail, remedy) : ok("disk", detail);
}

/** Asks a running server whether it is ready. */
async function serverFinding({ adminHost, adminPort }: Config): Promise<Finding> {
  const host = /^(?:0\.0\.0\.0|::)$/.test(adminHost) ? "127.0.0.1" : adminHost;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${adminPort}/readyz`;
  const subject = "server";
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = (await response.text()).trim();
    if (response.ok) return ok(subject, `${url} responded with ${text}`);
    return failed(subject, `${url} responded with ${response.status}: ${text}`, "read the server's log");
  } catch (error) {
    if (errorCode(error) === "ECONNREFUSED") return ok(subject, `none is running at ${url}`);
    return failed(
      subject,
      `${url} does not respond: ${errorCode(error)}`,
      "read the server's log, and restart it",
    );
  }
}

async function certificateFinding(file: string): Promise<Finding> {
  const subject = "tls.certificate";
  const { validFrom, validTo } = new X509Certificate(await readFile(file));
  if (Date.parse(validFrom) > Date.now())
    return failed(subject, `not valid before ${validFrom}`, "check this machine's clock and the certificate");
  const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
  const remedy = `replace ${file}; the server reads it again within 10 seconds`;
  if (days < 0) return failed(subject, `expired on ${validTo}`, remedy);
  const detail = `valid for ${days} more days`;
  return days < CERTIFICATE_DAYS ? warning(subject, detail, remedy) : ok(subject, detail);
}

/** Reads an issuer's keys, and compares the clocks. */
async function keysFindings(subject: string, url: string): Promise<readonly Finding[]> {
  try {
    const began = Date.now();
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    const date = response.headers.get("date");
    const count = keyCount(await response.text());
    if (count === undefined || !response.ok)
      return [
        failed(
          subject,
          `${url} did not return a JSON key set; its status is ${response.status}`,
          "correct the address",
        ),
      ];
    const found = ok(subject, `${url} has ${count} keys`);
    return date === null ? [found] : [found, clockFinding(subject, Date.parse(date), began)];
  } catch (error) {
    return [unreachable(subject, url, error)];
  }
}

/** Reads an issuer's keys from a file. */
async function keyFileFindings(subject: string, path: string): Promise<readonly Finding[]> {
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
async function connectionFinding(subject: string, address: string): Promise<readonly Finding[]> {
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

async function clickHouseFindings(url: string, keys: ClickHouseKeys): Promise<readonly Finding[]> {
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

async function postgresFindings(options: PostgresOptions): Promise<readonly Finding[]> {
  let subject = "PostgreSQL";
  let database: PostgresDatabase | undefined;
  try {
    database = new PostgresDatabase({ address: await readAddress(options), connections: 1 });
    subject = database.place;
    const began = Date.now();
    const [row] = await database.query<{ version: string; now: Date }>(
      "checking the database",
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
  const reason = systemReason(error) ?? (error as Error).message;
  return failed(
    subject,
    reason,
    `check that the database runs, and its address, user and password in ${key}`,
  );
}
