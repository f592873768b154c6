import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { loopbackServer } from "../../../src/http/testing/loopback-server.js";
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
  /** Waits for a request with a body. Concurrent requests may arrive in any order. */
  withBody(body: string): Promise<RecordedRequest>;
  close(): Promise<void>;
}

/** Starts a server that records each request's body and lets the test respond to it. */
export async function startRecorder(): Promise<Recorder> {
  const requests: RecordedRequest[] = [];
  const { origin, close } = await loopbackServer(async (request, response) => {
    requests.push({ body: await text(request), response });
  });
  return {
    url: origin,
    next: async (index) => {
      await poll(() => requests.length > index);
      return requests[index] as RecordedRequest;
    },
    withBody: async (body) => {
      const find = () => requests.find((request) => request.body === body);
      return (await poll(find)) as RecordedRequest;
    },
    close,
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
