import { readFile } from "node:fs/promises";
import { abortable } from "@waybill/client/support";
import type { AuthClient } from "google-auth-library";
import { printable } from "../../limits/excerpt.js";
import { MAX_EXCERPT, MAX_ORIGINAL_TOKEN_MS } from "../../limits/limits.js";
import { faultCode, withinTime } from "../../outgoing/requests.js";
import { explanationOf } from "./fetch-response.js";
import { isJsonObject } from "./known-fields.js";
import { type Credentials, UpstreamError } from "./upstream.js";

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
  const late = new UpstreamError("unavailable", "there was no access token in time");
  // The library has no limit of time, and cannot be stopped.
  const given = await withinTime(MAX_ORIGINAL_TOKEN_MS, late, signal, (ending) =>
    abortable(
      opening.then((client) => client.getRequestHeaders(url.href)),
      ending,
    ),
  );
  const headers = new Headers(given);
  if (TOKEN.test(headers.get("authorization") ?? "")) return headers;
  throw new UpstreamError("unavailable", "the answer of the token endpoint has no access token");
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
    throw new UpstreamError("credentials", "the credentials file lacks a field, or has one of another type");
  }
}

/** Reads the file here: the library's errors would quote it. */
async function readCredentials(file: string): Promise<object> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new UpstreamError("credentials", `the credentials file cannot be read: ${faultCode(error)}`);
  }
  try {
    const credentials: unknown = JSON.parse(text);
    if (isJsonObject(credentials)) return credentials;
  } catch {
    // Told below.
  }
  throw new UpstreamError("credentials", "the credentials file is not a JSON object");
}

/** An error of the library's requests; `response` is missing if there was no answer. */
interface RequestError {
  readonly config: unknown;
  readonly response?: { readonly status: number; readonly data: unknown };
}

/**
 * Tells why there is no access token. The error of the library is not passed on: it has the request in it, and with it the
 * credentials.
 */
export function credentialsError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  if (isRequestError(error))
    return error.response === undefined ? unreachable(error) : refused(error.response);
  // The library takes the fields that it needs from any answer.
  if (error instanceof TypeError) {
    return new UpstreamError("unavailable", "the answer of the token endpoint cannot be understood");
  }
  return new UpstreamError("credentials", `the credentials cannot be used: ${reasonOf(error)}`);
}

const isRequestError = (error: unknown): error is RequestError =>
  error instanceof Error && "config" in error && error.config !== undefined;

const unreachable = (error: unknown): UpstreamError =>
  new UpstreamError("unavailable", `the token endpoint cannot be reached: ${faultCode(error)}`);

function refused({ status, data }: NonNullable<RequestError["response"]>): UpstreamError {
  const isTemporary = status === 408 || status === 429 || status >= 500;
  const { message } = explanationOf(data);
  return new UpstreamError(
    isTemporary ? "unavailable" : "credentials",
    `no access token: HTTP status ${status}${message === "" ? "" : `: ${message}`}`,
  );
}

/** The library's own sentences; those of a JSON parser quote what it reads. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && !(error instanceof SyntaxError)
    ? printable(error.message, MAX_EXCERPT)
    : "a file is not JSON";
