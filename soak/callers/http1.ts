import { Agent } from "node:http";
import { type HttpResponse, type Sent, send } from "../../test/support/http/exchange.js";
import type { Exchange } from "./json-caller.js";

/** Exchanges by HTTP/1.1 on persistent connections. */
export class Http1Exchange implements Exchange {
  #agent = new Agent({ keepAlive: true });

  send(url: string, target: string, sent: Sent): Promise<HttpResponse> {
    return send(url, target, { ...sent, agent: this.#agent });
  }

  disconnect(): void {
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true });
  }
}
