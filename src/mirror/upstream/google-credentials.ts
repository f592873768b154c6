import { readFile } from "node:fs/promises";
import { abortable } from "@waybill/client/support";
import type { AuthClient } from "google-auth-library";
import { MAX_UPSTREAM_TOKEN_MS } from "../../limits/data-limits.js";
import { printable } from "../../limits/excerpt.js";
import { MAX_EXCERPT } from "../../limits/request-limits.js";
import { errorCode, withinTime } from "../../outgoing/requests.js";
import { explanationOf } from "./fetch-response.js";
import { isJsonObject } from "./known-fields.js";
import { type Credentials, UpstreamError } from "./upstream.js";

export interface GoogleCredentialsOptions {
  /**
   * Credentials file in a format of Google's libraries, such as a service account key or an `external_account`
   * (AIP-4117). If omitted, Application Default Credentials are used (AIP-4110): the file that an environment variable
   * names, or the metadata server.
   */
  readonly file?: string | undefined;
  readonly scope: string;
  /** Upstream project, by id or number. */
  readonly project: string;
}

/**
 * Credentials from Google's library. It keeps a token until five minutes before the token expires by the machine's
 * clock.
 */
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
      // After a failure, the next attempt reads the files again, and does not wait for a request that hangs.
      if (this.#client === client) this.dropToken();
      signal.throwIfAborted();
      throw credentialsError(error);
    }
  }

  dropToken(): void {
    this.#client = undefined;
  }
}

async function headersOf(opening: Promise<AuthClient>, url: URL, signal: AbortSignal): Promise<Headers> {
  const late = new UpstreamError("unavailable", "no access token arrived in time");
  // The library has no timeouts, and its requests cannot be aborted.
  const tokenHeaders = await withinTime(MAX_UPSTREAM_TOKEN_MS, late, signal, (ending) =>
    abortable(
      opening.then((client) => client.getRequestHeaders(url.href)),
      ending,
    ),
  );
  const headers = new Headers(tokenHeaders);
  if (TOKEN.test(headers.get("authorization") ?? "")) return headers;
  throw new UpstreamError("unavailable", "the token response has no access token");
}

/**
 * Matches a valid header. If a response contains no token, the library sends the word `undefined` instead of a token.
 */
const TOKEN = /^Bearer (?!undefined$|null$)\S+$/;

async function openClient({ file, scope, project }: GoogleCredentialsOptions): Promise<AuthClient> {
  const credentials = file === undefined ? {} : { credentials: await readCredentials(file) };
  // The library is loaded only here, because most servers have no mirrors.
  const { GoogleAuth } = await import("google-auth-library");
  try {
    // Without a project id, the library would call other services to find one.
    return await new GoogleAuth({ ...credentials, scopes: [scope], projectId: project }).getClient();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UpstreamError("credentials", "a field of the credentials file is absent or has a wrong type");
  }
}

/** Reads the file instead of letting the library do it, because the library's errors would quote the file. */
export async function readCredentials(file: string): Promise<object> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new UpstreamError("credentials", `the credentials file cannot be read: ${errorCode(error)}`);
  }
  try {
    const credentials: unknown = JSON.parse(text);
    if (isJsonObject(credentials)) return credentials;
  } catch {
    // The problem is reported below.
  }
  throw new UpstreamError("credentials", "the credentials file is not a JSON object");
}

/** An error of a request by the library. It has no `response` if the server has not responded. */
interface RequestError {
  readonly config: unknown;
  readonly response?: { readonly status: number; readonly data: unknown };
}

/**
 * Returns an error that explains why there is no access token. The library's error is not its cause, because that error
 * contains the request, and the request contains credentials.
 */
export function credentialsError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  if (isRequestError(error))
    return error.response === undefined ? unreachable(error) : rejected(error.response);
  // If a response has an unexpected format, the library fails when it reads a field.
  if (error instanceof TypeError) {
    return new UpstreamError("unavailable", "the token response has an unknown format");
  }
  return new UpstreamError("credentials", `the credentials cannot be used: ${reasonOf(error)}`);
}

const isRequestError = (error: unknown): error is RequestError =>
  error instanceof Error && "config" in error && error.config !== undefined;

const unreachable = (error: unknown): UpstreamError =>
  new UpstreamError("unavailable", `the token endpoint cannot be reached: ${errorCode(error)}`);

function rejected({ status, data }: NonNullable<RequestError["response"]>): UpstreamError {
  const isTemporary = status === 408 || status === 429 || status >= 500;
  const { message } = explanationOf(data);
  return new UpstreamError(
    isTemporary ? "unavailable" : "credentials",
    `no access token: HTTP status ${status}${message === "" ? "" : `: ${message}`}`,
  );
}

/**
 * Returns the message from a library error. If a JSON parser has failed, returns another message, because the parser's
 * would quote the file.
 */
const reasonOf = (error: unknown): string =>
  error instanceof Error && !(error instanceof SyntaxError)
    ? printable(error.message, MAX_EXCERPT)
    : "a file is not JSON";
