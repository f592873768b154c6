import { X509Certificate } from "node:crypto";
import { constants, type StatsFs } from "node:fs";
import { access, readdir, readFile, stat, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DAY_MS } from "../../../model/clock.js";
import { errorCode } from "../../../outgoing/requests.js";
import type { Config } from "../../../server/config/config-schema.js";
import { type Finding, failed, ok, warning } from "./finding.js";

/** Timeout for a running server's response, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** Remaining validity of certificates, in days, below which a warning is due. */
const CERTIFICATE_DAYS = 14;
/** Shares of the disk that should be free. */
const FREE = { warning: 0.15, failed: 0.03 };

/** Checks the data directory: existence, permissions and disk space. */
export async function directoryFindings(directory: string): Promise<readonly Finding[]> {
  const subject = "data directory";
  const path = resolve(directory);
  const existing = await existingPart(path);
  if (existing !== path) {
    const detail = `${path} does not exist; the server creates it`;
    if (!(await isWritable(existing))) return [notWritable(subject, existing)];
    return [ok(subject, detail), await diskFinding(existing)];
  }
  if (!(await stat(path)).isDirectory())
    return [failed(subject, `${path} is not a directory`, "set dataDir, or --data-dir, to a directory")];
  if (!(await isWritable(path))) return [notWritable(subject, path)];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const file = join(path, entry.name);
    if (entry.isFile() && !(await isAccessible(file, constants.R_OK | constants.W_OK)))
      return [notWritable(subject, file)];
  }
  const { mode } = await stat(path);
  const isPrivate = (mode & 0o077) === 0;
  return [
    isPrivate ? ok(subject, path) : warning(subject, `${path}: other users have access`, `chmod 700 ${path}`),
    await diskFinding(path),
  ];
}

async function existingPart(path: string): Promise<string> {
  return (await isAccessible(path, constants.F_OK)) ? path : existingPart(dirname(path));
}

const isAccessible = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  );

const isWritable = (directory: string): Promise<boolean> =>
  isAccessible(directory, constants.R_OK | constants.W_OK | constants.X_OK);

const notWritable = (subject: string, path: string): Finding =>
  failed(subject, `${path}: permission denied`, "run this command and the server as the file's owner");

const diskFinding = async (path: string): Promise<Finding> => spaceFinding(await statfs(path));

/** Checks the free space of a file system. */
export function spaceFinding({ bavail, blocks, bsize }: StatsFs): Finding {
  const free = bavail / blocks;
  const gib = ((bavail * bsize) / 2 ** 30).toFixed(1);
  const detail = `${gib} GiB free, ${(100 * free).toFixed(0)} % of the disk`;
  const remedy = "free disk space, or shorten messagingData.retention";
  if (free < FREE.failed) return failed("disk", detail, remedy);
  return free < FREE.warning ? warning("disk", detail, remedy) : ok("disk", detail);
}

/** Asks a running server whether it is ready. */
export async function serverFinding({ adminHost, adminPort }: Config): Promise<Finding> {
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

export async function certificateFinding(file: string): Promise<Finding> {
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
