import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runInProcess } from "../../../src/cli/testing/run-in-process.js";
import type { Server } from "./server.js";

/** Parts of an Application Default Credentials file that tests read. */
export interface CredentialsFile {
  readonly path: string;
  readonly token_url: string;
  readonly subject_token: string;
}

let files = 0;

/** Creates credentials with `waybill credentials create`, in the server's data directory. */
export async function createCredentials(
  server: Server,
  principal: string,
  ...args: readonly string[]
): Promise<CredentialsFile> {
  const path = join(server.dataDir, `adc-${files++}.json`);
  const tokenUrl = `${server.integrityUrl}/oauth2/token`;
  const flags = ["--data-dir", server.dataDir, "--principal", principal, "--token-url", tokenUrl];
  const { code, stderr } = await runInProcess(["credentials", "create", ...flags, "--out", path, ...args]);
  if (code !== 0) throw new Error(`waybill credentials create: ${stderr}`);
  return { ...(JSON.parse(await readFile(path, "utf8")) as CredentialsFile), path };
}
