import type { ClientHttp2Session } from "node:http2";
import type { HttpResponse, Sent } from "../../test/support/http/exchange.js";
import { openSession, sendOn } from "../../test/support/http/http2.js";
import type { Exchange } from "./json-caller.js";

/** Exchanges by HTTP/2, with one connection for each address. */
export class Http2Exchange implements Exchange {
  readonly #sessions = new Map<string, Promise<ClientHttp2Session>>();

  async send(url: string, target: string, sent: Sent): Promise<HttpResponse> {
    // Simultaneous calls share the connection being opened.
    const session = await (this.#sessions.get(url) ?? this.#open(url));
    const { resetCode, ...response } = await sendOn(session, target, sent);
    if (response.status === 0 || resetCode !== 0) throw new Error(`the stream was reset: ${resetCode}`);
    return response;
  }

  disconnect(): void {
    for (const opening of this.#sessions.values()) {
      opening.then(
        (session) => session.destroy(),
        () => {},
      );
    }
    this.#sessions.clear();
  }

  #open(url: string): Promise<ClientHttp2Session> {
    const opening = openSession(url);
    this.#sessions.set(url, opening);
    const forget = (): void => {
      if (this.#sessions.get(url) === opening) this.#sessions.delete(url);
    };
    // After GOAWAY, a connection accepts no further requests.
    opening.then((session) => session.once("goaway", forget).once("close", forget), forget);
    return opening;
  }
}
