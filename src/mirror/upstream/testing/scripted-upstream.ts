import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type LoopbackServer, loopbackServer } from "../../../http/testing/loopback-server.js";

/** An answer of the script: a JSON value, or what to do with the response. */
export type ScriptedAnswer =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | RequestListener;

/** A real HTTP server that gives the answers of a list, one for each request; the last one again and again. */
export interface ScriptedUpstream extends LoopbackServer {
  /** Path and query of each request so far. */
  readonly targets: readonly string[];
  /** `Authorization` of each request so far. */
  readonly authorizations: readonly (string | undefined)[];
}

/** @param answers bodies that are texts or bytes are sent as they are, others as JSON. */
export async function scriptedUpstream(answers: readonly ScriptedAnswer[]): Promise<ScriptedUpstream> {
  const targets: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = await loopbackServer((request: IncomingMessage, response: ServerResponse) => {
    const answer = answers[Math.min(targets.length, answers.length - 1)] ?? {};
    targets.push(request.url ?? "");
    authorizations.push(request.headers.authorization);
    if (typeof answer === "function") answer(request, response);
    else {
      const { status = 200, headers = {}, body = {} } = answer;
      const isRaw = typeof body === "string" || body instanceof Uint8Array;
      response.writeHead(status, headers).end(isRaw ? body : JSON.stringify(body));
    }
  });
  return { ...server, targets, authorizations };
}
