import { readFile } from "node:fs/promises";
import { serviceUrl } from "@waybill/client/support";
import { type Command, Option } from "commander";
import { systemReason } from "../../model/system-error.js";
import { adminTokenFile } from "../../server/operators/admin-access.js";
import { CommandFailure } from "../support/command-failure.js";
import { type ControlFlags, serverConfig } from "../support/with-control.js";

export interface AdminFlags extends ControlFlags {
  readonly admin: string;
  readonly adminTokenFile?: string;
}

export const addAdminFlags = (command: Command): Command =>
  command
    .addOption(
      new Option("--admin <url>", "address of the server's admin listener").default("http://127.0.0.1:9090"),
    )
    .option("--data-dir <dir>", "server's data directory, with its admin token (default: ./data)")
    .option("--config <file>", "server's configuration file, for its data directory and admin.tokenFile")
    .option("--admin-token-file <file>", "file with the server's admin token");

/**
 * Sends a request to the admin listener.
 *
 * @param path relative path, such as `backup`.
 * @returns the response. Its status is 200 to 299.
 * @throws CommandFailure for any other status.
 */
export async function callAdmin(flags: AdminFlags, path: string, init: RequestInit): Promise<Response> {
  const url = routeUrl(flags.admin, path);
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${await readAdminToken(flags)}`);
  const response = await fetch(url, { ...init, headers }).catch((cause: Error) => {
    const reason = cause.cause instanceof Error ? cause.cause.message : cause.message;
    throw new CommandFailure(`${url.origin} cannot be reached: ${reason}`, { cause });
  });
  if (response.ok) return response;
  const text = await response.text();
  throw new CommandFailure(
    `${url.origin} rejected the request: ${messageIn(text) ?? `status ${response.status}`}`,
  );
}

/** Time and rate of a server's adjustable clock. */
export interface ShownClock {
  /** Time in RFC 3339. */
  readonly time: string;
  readonly rate: number;
}

/** Reads or changes a server's adjustable clock. @throws the same errors as {@link callAdmin}. */
export async function callClock(flags: AdminFlags, init: RequestInit): Promise<ShownClock> {
  return (await (await callAdmin(flags, "clock", init)).json()) as ShownClock;
}

async function readAdminToken(flags: AdminFlags): Promise<string> {
  const path = flags.adminTokenFile ?? adminTokenFile(await serverConfig(flags));
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new CommandFailure(
      `cannot read the admin token ${path}: ${systemReason(cause) ?? String(cause)}; set --data-dir, --config or --admin-token-file`,
      { cause },
    );
  });
  const token = text.trim();
  if (/^[!-~]+$/.test(token)) return token;
  throw new CommandFailure(`${path} contains no admin token`);
}

function routeUrl(admin: string, path: string): URL {
  try {
    return new URL(path, `${serviceUrl(admin, "--admin").href.replace(/\/$/, "")}/`);
  } catch (error) {
    throw new CommandFailure((error as TypeError).message, { cause: error });
  }
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message;
  } catch {
    return undefined;
  }
}
