import { readFile } from "node:fs/promises";
import type { JWTPayload } from "jose";

const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** What an issuer says about a token (RFC 7662 §2.2): claims as those of a JWT, and whether it is good. */
export interface IntrospectionAnswer extends JWTPayload {
  readonly active: boolean;
  readonly username?: unknown;
  readonly token_type?: unknown;
}

/** Where the tokens of an issuer are asked about. */
export interface IntrospectionEndpoint {
  /** @throws Error if there is no answer, or it is none that RFC 7662 allows. Its message has no secret. */
  ask(token: string): Promise<IntrospectionAnswer>;
}

/** How Waybill says who it is to an introspection endpoint. */
export interface ClientCredentials {
  readonly clientId: string;
  /** Read for each question, so that it may come from a file that is replaced. */
  readonly clientSecret: () => Promise<string>;
}

/** An introspection endpoint at a URL. A redirect or any status but 200 is a failure. */
export function remoteIntrospection(
  url: string,
  { clientId, clientSecret }: ClientCredentials,
): IntrospectionEndpoint {
  return {
    async ask(token) {
      const response = await fetch(url, {
        method: "POST",
        headers: { accept: "application/json", authorization: basic(clientId, await clientSecret()) },
        body: new URLSearchParams({ token, token_type_hint: "access_token" }),
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new Error(`${url} answered with HTTP status ${response.status}`);
      }
      return parseAnswer(await readText(response), url);
    },
  };
}

/**
 * A secret in a file, without the line break at its end.
 *
 * @throws Error by the promise if there is none.
 */
export async function secretOfFile(path: string): Promise<string> {
  const secret = (await readFile(path, "utf8")).replace(/\r?\n$/, "");
  if (secret === "") throw new Error(`${path} is empty`);
  return secret;
}

/** Name and password are form-encoded before they are joined (RFC 6749 §2.3.1). */
function basic(name: string, password: string): string {
  const [encodedName, encodedPassword] = [name, password].map((text) =>
    new URLSearchParams({ "": text }).toString().slice(1),
  );
  return `Basic ${Buffer.from(`${encodedName}:${encodedPassword}`).toString("base64")}`;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseAnswer(text: string, url: string): IntrospectionAnswer {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    // The message of the parser would repeat a part of the text.
    throw new Error(`the answer of ${url} is not JSON`);
  }
  const members = typeof answer === "object" && answer !== null ? Object.entries(answer) : [];
  // Some servers send `null` for what they leave out. An address of which they say so is not verified all the same.
  const given = Object.fromEntries(
    members.filter(([name, value]) => value !== null || name === "email_verified"),
  );
  if (!isAnswer(given)) throw new Error(`the answer of ${url} is no token introspection response`);
  return given;
}

/** Whether it has `active`, and the claims that decisions are made by have the types of RFC 7662 §2.2. */
function isAnswer(given: Readonly<Record<string, unknown>>): given is IntrospectionAnswer {
  const { active, exp, nbf, iss, aud } = given;
  return (
    typeof active === "boolean" &&
    [exp, nbf].every((time) => time === undefined || Number.isFinite(time)) &&
    (iss === undefined || typeof iss === "string") &&
    (aud === undefined || [aud].flat().every((name) => typeof name === "string"))
  );
}
