import { type HttpResponse, send } from "./exchange.js";

/** Sends a call of the messaging-data service. @param path below `/v1beta1/`. */
export type JsonCall = (method: string, path: string, body?: object, token?: string) => Promise<HttpResponse>;

/** Returns a function that sends calls with JSON bodies. @param ownToken token of calls without another one. */
export const jsonCalls =
  (url: string, ownToken: string): JsonCall =>
  (method, path, body, token = ownToken) =>
    send(url, `/v1beta1/${path}`, {
      method,
      token,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
