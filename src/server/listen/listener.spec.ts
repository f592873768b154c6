import { createServer, type RequestListener } from "node:http";
import { afterEach, expect, it } from "vitest";
import { Connections } from "./connections.js";
import { Listener } from "./listener.js";

const made: Listener[] = [];
/** Names of the parts that were called, in order. */
const calls: string[] = [];

function listenerOf(handle: RequestListener = (_, response) => response.end("served")): Listener {
  const server = createServer(handle);
  const listener = new Listener({
    server,
    connections: new Connections(server),
    scheme: "http",
    stop: () => calls.push("stop"),
    release: async () => {
      calls.push("release");
    },
  });
  made.push(listener);
  return listener;
}

afterEach(async () => {
  for (const listener of made.splice(0)) {
    const closed = listener.close();
    listener.cut();
    await closed;
  }
  calls.length = 0;
});

it("a listener returns its address", async () => {
  const base = await listenerOf().listen("127.0.0.1", 0);
  expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(base)).text()).toBe("served");
});

it("a listener fails if its port is in use", async () => {
  const { port } = new URL(await listenerOf().listen("127.0.0.1", 0));
  await expect(listenerOf().listen("127.0.0.1", Number(port))).rejects.toMatchObject({ code: "EADDRINUSE" });
});

it("a listener can be closed without having listened", async () => {
  await listenerOf().close();
  expect(calls).toEqual(["stop", "release"]);
});

it("a listener that is closed rejects new requests immediately, and releases its parts after the last request", async () => {
  let respond = () => {};
  const listener = listenerOf((_, response) => {
    calls.push("request");
    respond = () => {
      calls.push("respond");
      response.end("served");
    };
  });
  const response = fetch(await listener.listen("127.0.0.1", 0));
  await expect.poll(() => calls).toEqual(["request"]);
  const closed = listener.close();
  expect(calls).toEqual(["request", "stop"]);
  respond();
  expect(await (await response).text()).toBe("served");
  await closed;
  expect(calls).toEqual(["request", "stop", "respond", "release"]);
});

it("a listener closes after its requests in progress were cut", async () => {
  const listener = listenerOf(() => calls.push("request"));
  const response = fetch(await listener.listen("127.0.0.1", 0));
  response.catch(() => {});
  await expect.poll(() => calls).toEqual(["request"]);
  const closed = listener.close();
  listener.cut();
  await closed;
  await expect(response).rejects.toThrow();
});
