import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { BYSTANDER } from "./waybill-server.js";

const LATENCY_MS = 150;
const CLIENT = { clientId: "waybill", clientSecret: "secret" };
/** Short, so that the server has to introspect valid tokens repeatedly. */
const CACHE = "1s";
const VALID = "valid-";

/** An issuer of tokens that can only be verified by introspection. */
export interface OpaqueTokens {
  /** Config keys of a server that trusts it. */
  readonly config: object;
  /** Number of introspection requests for invalid tokens. */
  invalid(): number;
  close(): void;
}

/** Returns a token that the issuer reports as active, for a principal with this name. */
export const validToken = (name: string): string => `${VALID}${name}`;

export async function startOpaqueTokens(): Promise<OpaqueTokens> {
  let invalid = 0;
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    const active = form.get("token")?.startsWith(VALID) === true;
    if (!active) invalid++;
    await sleep(LATENCY_MS);
    const scope = "https://www.googleapis.com/auth/platform";
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(active ? { active, sub: BYSTANDER.principal, scope } : { active }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const issuer = {
    issuer: "https://opaque.example",
    introspectionUrl: `http://127.0.0.1:${port}/`,
    introspectionCache: CACHE,
    ...CLIENT,
  };
  return { config: { auth: { issuers: [issuer] } }, invalid: () => invalid, close: () => server.close() };
}
