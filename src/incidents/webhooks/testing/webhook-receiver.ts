import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { loopbackServer } from "../../../http/testing/loopback-server.js";

/** A received message with a valid signature. */
export interface ReceivedMessage {
  readonly id: string;
  /** Time of the attempt, in seconds since the Unix epoch. */
  readonly seconds: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly type: string; readonly data: Readonly<Record<string, Record<string, unknown>>> };
  respond(status: number): void;
  /** Closes the connection without a response. */
  cut(): void;
}

export interface WebhookReceiver {
  readonly origin: string;
  /** Messages in order of arrival. */
  readonly received: readonly ReceivedMessage[];
  /** Requests that are not messages with a correct signature. */
  readonly rejected: readonly string[];
  /** Called with each message, to respond to it. By default with 204. */
  onMessage: (message: ReceivedMessage) => void;
  close(): Promise<void>;
}

/** Starts a receiver that verifies signatures with Web Crypto, independently of the signing code. */
export async function webhookReceiver(key: Uint8Array<ArrayBuffer>): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = [];
  const rejected: string[] = [];
  const hmac = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray()).toString();
    const {
      "webhook-id": id,
      "webhook-timestamp": seconds,
      "webhook-signature": signature,
    } = request.headers;
    const [version, base64 = ""] = String(signature).split(",");
    const signed = Buffer.from(`${id}.${seconds}.${body}`);
    const isSigned = await crypto.subtle.verify("HMAC", hmac, Buffer.from(base64, "base64"), signed);
    if (!isSigned || version !== "v1" || request.method !== "POST") {
      rejected.push(`${request.method} ${signature} ${body}`);
      return void response.writeHead(401).end();
    }
    const message = {
      id: String(id),
      seconds: Number(seconds),
      headers: request.headers,
      body: JSON.parse(body),
      respond: (status: number) => void response.writeHead(status).end(),
      cut: () => void response.destroy(),
    };
    received.push(message);
    receiver.onMessage(message);
  };
  const server = await loopbackServer((request, response) => void take(request, response));
  const receiver: WebhookReceiver = {
    ...server,
    received,
    rejected,
    onMessage: ({ respond }) => respond(204),
  };
  return receiver;
}
