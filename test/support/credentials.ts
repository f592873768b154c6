import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Server, waybill } from "./waybill.js";

/** As much of an Application Default Credentials file as tests look at. */
export interface CredentialsFile {
  readonly path: string;
  readonly token_url: string;
  readonly subject_token: string;
}

let files = 0;

/** Credentials by `waybill credentials create`, for a server in the directory of its data. */
export async function createCredentials(
  server: Server,
  principal: string,
  ...args: readonly string[]
): Promise<CredentialsFile> {
  const path = join(server.dataDir, `adc-${files++}.json`);
  const tokenUrl = `${server.integrityUrl}/oauth2/token`;
  const flags = ["--data-dir", server.dataDir, "--principal", principal, "--token-url", tokenUrl];
  const { code, stderr } = await waybill(["credentials", "create", ...flags, "--out", path, ...args]);
  if (code !== 0) throw new Error(`waybill credentials create: ${stderr}`);
  return { ...(JSON.parse(await readFile(path, "utf8")) as CredentialsFile), path };
}
