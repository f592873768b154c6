import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type LoopbackServer, loopbackServer } from "../../../http/testing/loopback-server.js";

/** A scripted response: a JSON value, or a request listener. */
export type ScriptedResponse =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | RequestListener;

/** An HTTP server that sends scripted responses, one for each request. The last response is repeated. */
export interface ScriptedUpstream extends LoopbackServer {
  /** Path and query of each request that has arrived. */
  readonly targets: readonly string[];
  /** Header `Authorization` of each request that has arrived. */
  readonly authorizations: readonly (string | undefined)[];
}

/**
 * Starts the server.
 *
 * @param responses strings and bytes are sent as bodies without changes. Other values are sent as JSON.
 */
export async function scriptedUpstream(responses: readonly ScriptedResponse[]): Promise<ScriptedUpstream> {
  const targets: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = await loopbackServer((request: IncomingMessage, response: ServerResponse) => {
    const scripted = responses[Math.min(targets.length, responses.length - 1)] ?? {};
    if (request.url !== undefined) targets.push(request.url);
    authorizations.push(request.headers.authorization);
    if (typeof scripted === "function") scripted(request, response);
    else {
      const { status = 200, headers = {}, body = {} } = scripted;
      const isRaw = typeof body === "string" || body instanceof Uint8Array;
      response.writeHead(status, headers).end(isRaw ? body : JSON.stringify(body));
    }
  });
  return { ...server, targets, authorizations };
}
