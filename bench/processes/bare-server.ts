import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { respondToQuestions } from "../support/process.js";
import type { BytesResponse } from "../support/reads/fetch-bytes.js";

/** Response headers that a server adds automatically. */
const OWN_HEADERS = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

/** A minimal Node.js server that returns the same bytes for every request. Returns its address. */
respondToQuestions(async ({ headers, body }: BytesResponse): Promise<string> => {
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)));
  const bytes = Buffer.from(body);
  const server = createServer((_request, response) => {
    response.writeHead(200, sent).end(bytes);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
