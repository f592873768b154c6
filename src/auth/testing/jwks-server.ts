import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { SigningKey } from "./signing-key.js";

/** An HTTP server on the loopback interface that publishes the keys of an issuer. */
export interface JwksServer {
  readonly uri: string;
  /** How often the keys were asked for. */
  readonly fetches: number;
  publish(...keys: readonly SigningKey[]): void;
  /** Answers with this status and body from now on. */
  answer(status: number, body: string): void;
  close(): Promise<void>;
}

export async function jwksServer(...keys: readonly SigningKey[]): Promise<JwksServer> {
  let fetches = 0;
  let status = 200;
  let body = setOf(keys);
  const server = createServer((_request, response) => {
    fetches += 1;
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    get fetches() {
      return fetches;
    },
    publish(...published) {
      status = 200;
      body = setOf(published);
    },
    answer(nextStatus, nextBody) {
      status = nextStatus;
      body = nextBody;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function setOf(keys: readonly SigningKey[]): string {
  return JSON.stringify({ keys: keys.map((key) => key.publicJwk) });
}
