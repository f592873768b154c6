import { readFile } from "node:fs/promises";
import { readBody } from "@waybill/client/support";
import type { JWTPayload } from "jose";
import { sendRequest } from "../../outgoing/requests.js";

const TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

/** An introspection response (RFC 7662 §2.2): the field `active`, and claims as in a JWT. */
export interface IntrospectionResponse extends JWTPayload {
  readonly active: boolean;
  readonly username?: unknown;
  readonly token_type?: unknown;
}

export interface IntrospectionEndpoint {
  /**
   * Introspects a token.
   *
   * @param maxMs maximum duration, in milliseconds.
   * @throws Error if the response does not conform to RFC 7662. The message contains no secret.
   */
  ask(token: string, maxMs: number): Promise<IntrospectionResponse>;
}

/** Waybill's own credentials at an introspection endpoint. */
export interface ClientCredentials {
  readonly clientId: string;
  /** Reads the secret for each request, because its file may be replaced. */
  readonly clientSecret: () => Promise<string>;
}

/** Creates an introspection endpoint for a URL. A redirect or any status other than 200 is a failure. */
export function remoteIntrospection(
  url: string,
  { clientId, clientSecret }: ClientCredentials,
): IntrospectionEndpoint {
  return {
    async ask(token, maxMs) {
      const response = await sendRequest(url, {
        method: "POST",
        headers: { accept: "application/json", authorization: basic(clientId, await clientSecret()) },
        body: new URLSearchParams({ token, token_type_hint: "access_token" }),
        redirect: "error",
        signal: AbortSignal.timeout(Math.min(TIMEOUT_MS, Math.ceil(maxMs))),
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new Error(`${url} responded with HTTP status ${response.status}`);
      }
      const { bytes, isWhole } = await readBody(response, MAX_RESPONSE_BYTES);
      if (!isWhole) throw new Error(`the response has more than ${MAX_RESPONSE_BYTES} bytes`);
      return parseResponse(Buffer.from(bytes).toString(), url);
    },
  };
}

/**
 * Reads a secret from a file, without its trailing line break.
 *
 * @throws Error by rejection if the file cannot be read or is empty.
 */
export async function secretOfFile(path: string): Promise<string> {
  const secret = (await readFile(path, "utf8")).replace(/\r?\n$/, "");
  if (secret === "") throw new Error(`${path} is empty`);
  return secret;
}

/**
 * Builds HTTP Basic credentials. Name and password are form-encoded before they are joined (RFC 6749 §2.3.1).
 */
function basic(name: string, password: string): string {
  const [encodedName, encodedPassword] = [name, password].map((text) =>
    new URLSearchParams({ "": text }).toString().slice(1),
  );
  return `Basic ${Buffer.from(`${encodedName}:${encodedPassword}`).toString("base64")}`;
}

function parseResponse(text: string, url: string): IntrospectionResponse {
  let result: unknown;
  try {
    result = JSON.parse(text);
  } catch {
    // The parser's error message would quote a part of the response.
    throw new Error(`the response from ${url} is not JSON`);
  }
  const members = typeof result === "object" && result !== null ? Object.entries(result) : [];
  // Some servers send `null` instead of omitting a field. A null `email_verified` still means "not verified".
  const given = Object.fromEntries(
    members.filter(([name, value]) => value !== null || name === "email_verified"),
  );
  if (!isIntrospectionResponse(given))
    throw new Error(`the response from ${url} is not a token introspection response`);
  return given;
}

/**
 * Returns true if the response has `active`, and if the claims that the server uses have the types of RFC 7662 §2.2.
 */
function isIntrospectionResponse(given: Readonly<Record<string, unknown>>): given is IntrospectionResponse {
  const { active, exp, nbf, iss, aud } = given;
  return (
    typeof active === "boolean" &&
    [exp, nbf].every((time) => time === undefined || Number.isFinite(time)) &&
    (iss === undefined || typeof iss === "string") &&
    (aud === undefined || [aud].flat().every((name) => typeof name === "string"))
  );
}
