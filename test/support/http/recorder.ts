import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { poll } from "../poll.js";

/** A request that a test responds to. */
export interface RecordedRequest {
  readonly body: string;
  readonly response: ServerResponse;
}

/** A server that records each request. */
export interface Recorder {
  readonly url: string;
  /** Waits for a request, counted from 0. */
  next(index: number): Promise<RecordedRequest>;
  close(): void;
}

/** Starts a server that records each request's body and lets the test respond to it. */
export async function startRecorder(): Promise<Recorder> {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    requests.push({ body: await text(request), response });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: async (index) => {
      await poll(
        async () => requests.length,
        (count) => count > index,
      );
      return requests[index] as RecordedRequest;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Sends a JSON response. */
export function respond(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
