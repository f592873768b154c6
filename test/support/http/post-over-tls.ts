import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { packagePath } from "../package-path.js";

/** Files of a server certificate for `localhost` and `127.0.0.1`. */
export const TLS = {
  certificate: packagePath("test/fixtures/tls/server.pem"),
  key: packagePath("test/fixtures/tls/server.key"),
};
/** Certificate of the authority that issued the server certificate. */
export const CA = packagePath("test/fixtures/tls/ca.pem");

/** Sends JSON over TLS. @returns status and text of the response. */
export async function postOverTls(
  url: string,
  body: object,
  token?: string,
): Promise<{ status: number | undefined; text: string }> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { "content-type": "application/json", ...authorization };
  const outgoing = request(url, { method: "POST", ca: readFileSync(CA), headers });
  outgoing.end(JSON.stringify(body));
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode, text };
}
