import type { ClientHttp2Session } from "node:http2";
import type { Answer, Sent } from "../../test/support/exchange.js";
import { openSession, sendOn } from "../../test/support/http2.js";
import type { Exchange } from "./json-caller.js";

/** Exchanges by HTTP/2, all with one address on one connection. */
export class Http2Exchange implements Exchange {
  readonly #sessions = new Map<string, ClientHttp2Session>();

  async send(url: string, target: string, sent: Sent): Promise<Answer> {
    const { resetCode, ...answer } = await sendOn(await this.#sessionOf(url), target, sent);
    if (answer.status === 0 || resetCode !== 0) throw new Error(`the stream was reset: ${resetCode}`);
    return answer;
  }

  disconnect(): void {
    for (const session of this.#sessions.values()) session.destroy();
    this.#sessions.clear();
  }

  async #sessionOf(url: string): Promise<ClientHttp2Session> {
    const open = this.#sessions.get(url);
    if (open !== undefined && !open.closed && !open.destroyed) return open;
    const session = await openSession(url);
    this.#sessions.set(url, session);
    return session;
  }
}
