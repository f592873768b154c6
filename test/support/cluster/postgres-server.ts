import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { need } from "../needs.js";
import { packagePath } from "../package-path.js";
import { poll } from "../poll.js";
import { freePort } from "./free-port.js";

need("postgresql");

/** User and password of all databases of the tests. */
export const POSTGRES_USER = "waybill";
export const POSTGRES_PASSWORD = "s3cret of the tests";

/** A PostgreSQL server in its own directory, on the loopback interface. */
export interface PostgresServer {
  readonly port: number;
  /** Starts it, or starts it again, and waits until it responds. */
  start(): Promise<void>;
  /** Stops it immediately, without an orderly shutdown, like a crash. */
  crash(): Promise<void>;
  /** Stops it, copies its files, and starts it again. */
  backUp(): Promise<void>;
  /** Crashes it, and starts it with the last backup's files, optionally as a standby that is promoted. */
  restore(options?: { readonly promoted?: boolean }): Promise<void>;
  /** Crashes it, and removes its directory. */
  close(): Promise<void>;
}

export interface PostgresServerOptions {
  /** False to disable `fsync`. Commits then survive a crash of PostgreSQL, but not of the system. */
  readonly fsync?: boolean;
  /** True to allow TLS with the certificates in `test/fixtures/tls`, including client certificates. */
  readonly tls?: boolean;
}

/** Creates a server, and starts it. */
export async function postgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const { fsync = false, tls = false } = options;
  const directory = mkdtempSync(join(tmpdir(), "waybill-postgres-"));
  const data = join(directory, "data");
  const backup = join(directory, "backup");
  const user = ids();
  const passwordFile = join(directory, "password");
  writeFileSync(passwordFile, POSTGRES_PASSWORD);
  const certificates = ["server.key", "server.pem", "ca.pem"].map((name) => {
    const copy = join(directory, name);
    writeFileSync(copy, readFileSync(packagePath(`test/fixtures/tls/${name}`)), { mode: 0o600 });
    return copy;
  });
  for (const path of [directory, passwordFile, ...certificates]) chownSync(path, user.uid, user.gid);
  const flags = ["--encoding=UTF8", "--no-locale", "--auth=scram-sha-256", "--no-sync", "--no-instructions"];
  const sign = [`--username=${POSTGRES_USER}`, `--pwfile=${passwordFile}`];
  const initialized = { ...user, cwd: "/", stdio: "ignore" } as const;
  execFileSync(program("initdb"), ["--pgdata", data, ...flags, ...sign], initialized);
  const port = await freePort();
  const [key, certificate, ca] = certificates;
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: fsync ? "on" : "off",
    shared_buffers: "32MB",
    max_connections: 200,
    ...(tls && { ssl: "on", ssl_key_file: key, ssl_cert_file: certificate, ssl_ca_file: ca }),
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // PostgreSQL does not run as root. The signal stops it together with this process, however this process exits.
  const drop = isRoot() ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"] : [];
  let child: ChildProcess | undefined;
  const server = {
    port,
    start: async () => {
      const command = [...drop, program("postgres"), "-D", data, ...args];
      child = spawn("setpriv", ["--pdeathsig", "QUIT", ...command], { cwd: "/", stdio: "ignore" });
      await poll(() => responses(port));
    },
    crash: async () => {
      if (child === undefined) return;
      const exited = once(child, "exit");
      child.kill("SIGQUIT");
      child = undefined;
      await exited;
    },
    backUp: async () => {
      await server.crash();
      execFileSync("cp", ["--archive", data, backup]);
      await server.start();
    },
    restore: async ({ promoted = false }: { readonly promoted?: boolean } = {}) => {
      await server.crash();
      rmSync(data, { recursive: true });
      execFileSync("cp", ["--archive", backup, data]);
      if (promoted) writeFileSync(join(data, "standby.signal"), "");
      await server.start();
      if (promoted) await runSql(port, "SELECT pg_promote()");
    },
    close: async () => {
      await server.crash();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** Path of the program in the newest version installed by Debian. */
function program(name: string): string {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).map(Number) : [];
  if (versions.length === 0) throw new Error("PostgreSQL is missing: apt-get install postgresql");
  return join(root, String(Math.max(...versions)), "bin", name);
}

const isRoot = (): boolean => process.getuid?.() === 0;

/** Ids of the server's user. If the tests run as root, this is the user of Debian's package. */
function ids(): { uid: number; gid: number } {
  const id = (flag: string, ...user: string[]) =>
    Number(execFileSync("id", [flag, ...user], { encoding: "utf8" }));
  return isRoot()
    ? { uid: id("-u", "postgres"), gid: id("-g", "postgres") }
    : { uid: id("-u"), gid: id("-g") };
}

const responses = (port: number): Promise<boolean> =>
  runSql(port, "SELECT").then(
    () => true,
    () => false,
  );

export async function runSql(port: number, sql: string, database = "postgres"): Promise<pg.QueryResult> {
  const client = new pg.Client({
    host: "127.0.0.1",
    port,
    user: POSTGRES_USER,
    password: POSTGRES_PASSWORD,
    database,
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}
