import { readFile } from "node:fs/promises";
import type { GoogleAuth } from "google-auth-library";
import { orAborted } from "../../../api/or-aborted.js";
import { MAX_ORIGINAL_TOKEN_MS } from "../../../limits/limits.js";
import { faultCode } from "../../outgoing/fault-code.js";
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
  #auth: Promise<GoogleAuth> | undefined;

  constructor(options: GoogleCredentialsOptions) {
    this.#options = options;
  }

  async headers(url: URL, signal: AbortSignal): Promise<Headers> {
    this.#auth ??= openAuth(this.#options);
    const auth = this.#auth;
    try {
      return await this.#headers(auth, url, signal);
    } catch (error) {
      // The next attempt reads the files anew, and does not wait for a request that hangs.
      if (this.#auth === auth) this.forget();
      signal.throwIfAborted();
      throw credentialsError(error);
    }
  }

  forget(): void {
    this.#auth = undefined;
  }

  async #headers(opening: Promise<GoogleAuth>, url: URL, signal: AbortSignal): Promise<Headers> {
    // The library has no time limit of its own, and cannot be stopped.
    const controller = new AbortController();
    const late = new OriginalError("unavailable", "no access token in time");
    const timer = setTimeout(() => controller.abort(late), MAX_ORIGINAL_TOKEN_MS);
    const abort = (): void => controller.abort(signal.reason);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    try {
      const asked = opening.then((auth) => auth.getRequestHeaders(url.href));
      const headers = await orAborted(controller.signal, asked);
      // An answer without a token counts as a success there.
      if (/^Bearer (?!undefined$|null$)\S+$/.test(headers.get("authorization") ?? ""))
        return new Headers(headers);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
    throw new OriginalError("unavailable", "the token endpoint's answer has no access token");
  }
}

async function openAuth({ file, scope, project }: GoogleCredentialsOptions): Promise<GoogleAuth> {
  // Loaded here, because most servers mirror nothing.
  const { GoogleAuth } = await import("google-auth-library");
  const credentials = file === undefined ? {} : { credentials: await readCredentials(file) };
  // The project spares a search for one, which would ask other services.
  return new GoogleAuth({ ...credentials, scopes: [scope], projectId: project });
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
