import type { IncomingHttpHeaders } from "node:http";
import { loopbackServer } from "../../http/testing/loopback-server.js";

/** A request to an {@link IntrospectionServer}. */
export interface Question {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
}

/** The server's reply: introspection response members, or a whole HTTP response. */
export type Reply =
  | Readonly<Record<string, unknown>>
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

/** A token introspection server on the loopback interface (RFC 7662). */
export interface IntrospectionServer {
  readonly url: string;
  readonly questions: readonly Question[];
  /** Sets all further replies. While a promise is pending, clients wait. */
  reply(reply: (token: string) => Reply | Promise<Reply>): void;
  close(): Promise<void>;
}

/** Starts a server that reports every token as inactive. */
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
