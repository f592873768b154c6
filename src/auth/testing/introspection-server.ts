import type { IncomingHttpHeaders } from "node:http";
import { loopbackServer } from "../../http/testing/loopback-server.js";

/** A question that an {@link IntrospectionServer} was asked. */
export interface Question {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
}

/** What is sent back: the members of an answer, or a whole response. */
export type Reply =
  | Readonly<Record<string, unknown>>
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

/** An HTTP server on the loopback interface that is asked about tokens (RFC 7662). */
export interface IntrospectionServer {
  readonly url: string;
  readonly questions: readonly Question[];
  /** Answers so from now on; a promise that is not settled keeps clients waiting. */
  reply(reply: (token: string) => Reply | Promise<Reply>): void;
  close(): Promise<void>;
}

/** Starts one that calls no token active. */
export async function introspectionServer(): Promise<IntrospectionServer> {
  const questions: Question[] = [];
  let reply: (token: string) => Reply | Promise<Reply> = () => ({ active: false });
  const { origin, close } = await loopbackServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const form = new URLSearchParams(text);
    questions.push({ method: request.method, headers: request.headers, form });
    const given = await reply(form.get("token") ?? "");
    const { status, headers, body } = isResponse(given)
      ? { headers: {}, ...given }
      : { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(given) };
    response.writeHead(status, headers).end(body);
  });
  return {
    url: `${origin}/introspect`,
    questions,
    reply(next) {
      reply = next;
    },
    close,
  };
}

const isResponse = (reply: Reply): reply is Extract<Reply, { readonly body: string }> => "body" in reply;
