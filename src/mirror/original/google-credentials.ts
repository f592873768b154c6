import { readFile } from "node:fs/promises";
import { abortable } from "@waybill/client/support";
import type { AuthClient } from "google-auth-library";
import { MAX_ORIGINAL_TOKEN_MS } from "../../limits/limits.js";
import { faultCode } from "../../outgoing/fault-code.js";
import { withinTime } from "../../outgoing/within-time.js";
import type { Credentials } from "./credentials.js";
import { credentialsError } from "./credentials-error.js";
import { OriginalError } from "./original.js";
import { isJsonObject } from "./page/known-fields.js";

export interface GoogleCredentialsOptions {
  /**
   * A file as Google's libraries take it: of a service account, or an `external_account` (AIP-4117), among others. Without
   * one, Application Default Credentials (AIP-4110): the environment's file, or the metadata server.
   */
  readonly file?: string | undefined;
  /** Scope of the tokens. */
  readonly scope: string;
  /** The project that is read. */
  readonly project: string;
}

/** Credentials of Google's libraries. They keep a token until five minutes before it expires, by the machine's time. */
export class GoogleCredentials implements Credentials {
  readonly #options: GoogleCredentialsOptions;
  #client: Promise<AuthClient> | undefined;

  constructor(options: GoogleCredentialsOptions) {
    this.#options = options;
  }

  async headers(url: URL, signal: AbortSignal): Promise<Headers> {
    this.#client ??= openClient(this.#options);
    const client = this.#client;
    try {
      return await headersOf(client, url, signal);
    } catch (error) {
      // The next attempt reads the files anew, and does not wait for a request that hangs.
      if (this.#client === client) this.forget();
      signal.throwIfAborted();
      throw credentialsError(error);
    }
  }

  forget(): void {
    this.#client = undefined;
  }
}

async function headersOf(opening: Promise<AuthClient>, url: URL, signal: AbortSignal): Promise<Headers> {
  const late = new OriginalError("unavailable", "there was no access token in time");
  // The library has no limit of time, and cannot be stopped.
  const given = await withinTime(MAX_ORIGINAL_TOKEN_MS, late, signal, (ending) =>
    abortable(
      opening.then((client) => client.getRequestHeaders(url.href)),
      ending,
    ),
  );
  const headers = new Headers(given);
  if (TOKEN.test(headers.get("authorization") ?? "")) return headers;
  throw new OriginalError("unavailable", "the answer of the token endpoint has no access token");
}

/** An answer without a token counts as a success in the library. */
const TOKEN = /^Bearer (?!undefined$|null$)\S+$/;

async function openClient({ file, scope, project }: GoogleCredentialsOptions): Promise<AuthClient> {
  const credentials = file === undefined ? {} : { credentials: await readCredentials(file) };
  // Loaded here, because most servers mirror nothing.
  const { GoogleAuth } = await import("google-auth-library");
  try {
    // The project spares a search for one, which would ask other services.
    return await new GoogleAuth({ ...credentials, scopes: [scope], projectId: project }).getClient();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new OriginalError("credentials", "the credentials file lacks a field, or has one of another type");
  }
}

/** Reads the file here: the library's errors would quote it. */
async function readCredentials(file: string): Promise<object> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new OriginalError("credentials", `the credentials file cannot be read: ${faultCode(error)}`);
  }
  try {
    const credentials: unknown = JSON.parse(text);
    if (isJsonObject(credentials)) return credentials;
  } catch {
    // Told below.
  }
  throw new OriginalError("credentials", "the credentials file is not a JSON object");
}
