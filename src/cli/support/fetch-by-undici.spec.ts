import type { IncomingMessage, RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { loopbackServer } from "../../http/testing/loopback-server.js";
import { fetchByUndici } from "./fetch-by-undici.js";

/** Starts a server for one test. Returns its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = await loopbackServer(listener);
  onTestFinished(() => server.close());
  return server.origin;
}

const factsOf = async (request: IncomingMessage) => ({
  method: request.method,
  url: request.url,
  type: request.headers["content-type"],
  length: request.headers["content-length"],
  body: (await buffer(request)).toString("hex"),
});

const BYTES = new Uint8Array([0, 1, 254, 255, 10]);

it.each<[string, string | Uint8Array<ArrayBuffer>]>([
  ["bytes", BYTES],
  ["a part of other memory", new Uint8Array([9, 9, ...BYTES, 9]).subarray(2, 7)],
  ["no bytes", new Uint8Array()],
  ["text", "a\n"],
])("sends %s like fetch, and returns the same response", async (_name, body) => {
  const url = await serve(async (request, response) => {
    response.writeHead(418, {
      "x-one": "1",
      "set-cookie": ["a=1", "b=2"],
      "content-type": "application/json",
    });
    response.end(JSON.stringify(await factsOf(request)));
  });
  const init = { method: "POST", headers: new Headers({ "content-type": "application/x-ndjson" }), body };
  const outcomeOf = async (send: typeof fetch) => {
    const response = await send(`${url}/a?b=c`, init);
    const { "keep-alive": _, date: __, ...headers } = Object.fromEntries(response.headers);
    return {
      status: response.status,
      headers,
      cookies: response.headers.getSetCookie(),
      json: await response.json(),
    };
  };
  const outcome = await outcomeOf(fetchByUndici);
  expect(outcome).toEqual(await outcomeOf(fetch));
  expect(outcome.json).toMatchObject({ method: "POST", url: "/a?b=c" });
});

it("does not follow redirects", async () => {
  const url = await serve((_request, response) => response.writeHead(307, { location: "/new" }).end("moved"));
  const response = await fetchByUndici(url, { method: "PUT", body: BYTES });
  expect([response.status, await response.text()]).toEqual([307, "moved"]);
});

it("returns responses without a body", async () => {
  const url = await serve((_request, response) => response.writeHead(204).end());
  const response = await fetchByUndici(url, { method: "POST", body: BYTES });
  expect([response.status, await response.text()]).toEqual([204, ""]);
});

it("returns a response before its body, which may end early", async () => {
  const url = await serve(async (request, response) => {
    // The connection would be reset if some of the request were unread.
    await buffer(request);
    response.writeHead(200, { "content-length": "10" });
    response.write("a", () => response.destroy());
  });
  const response = await fetchByUndici(url, { method: "POST", body: BYTES });
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

it("ends when its signal aborts", async () => {
  const controller = new AbortController();
  const url = await serve(() => controller.abort(new Error("enough")));
  const responding = fetchByUndici(url, { method: "POST", body: BYTES, signal: controller.signal });
  await expect(responding).rejects.toThrow("enough");
});

it("rejects with a code if the server cannot be reached", async () => {
  const url = await serve(() => {});
  const closed = url.replace(/\d+$/, "1");
  const responding = fetchByUndici(closed, { method: "POST", body: BYTES });
  await expect(responding).rejects.toMatchObject({ code: "ECONNREFUSED" });
});
