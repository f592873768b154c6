import { loopbackServer } from "../../http/testing/loopback-server.js";
import type { SigningKey } from "./signing-key.js";

/** An HTTP server on the loopback interface that publishes an issuer's keys. */
export interface JwksServer {
  readonly uri: string;
  /** Number of requests for the keys. */
  readonly fetches: number;
  publish(...keys: readonly SigningKey[]): void;
  respond(status: number, body: string): void;
  close(): Promise<void>;
}

export async function jwksServer(...keys: readonly SigningKey[]): Promise<JwksServer> {
  let fetches = 0;
  let status = 200;
  let body = setOf(keys);
  const { origin, close } = await loopbackServer((_request, response) => {
    fetches += 1;
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  return {
    uri: `${origin}/jwks.json`,
    get fetches() {
      return fetches;
    },
    publish(...published) {
      status = 200;
      body = setOf(published);
    },
    respond(nextStatus, nextBody) {
      status = nextStatus;
      body = nextBody;
    },
    close,
  };
}

function setOf(keys: readonly SigningKey[]): string {
  return JSON.stringify({ keys: keys.map((key) => key.publicJwk) });
}
