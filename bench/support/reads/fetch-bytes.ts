import { once } from "node:events";
import { type Agent, get, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

/** A response with its body as received. */
export interface BytesResponse {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** @throws Error if the status is not 200. */
export async function fetchBytes(url: string, token: string, agent?: Agent): Promise<BytesResponse> {
  const request = get(url, {
    headers: { authorization: `Bearer ${token}` },
    ...(agent !== undefined && { agent }),
  });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const body = await buffer(response);
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${body}`);
  return { headers: response.headers, body };
}
