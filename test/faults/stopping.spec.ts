import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { expect } from "vitest";
import { listOf } from "../support/data/delivery-data.js";
import { send } from "../support/http/exchange.js";
import { it, test } from "../support/servers/process-fixtures.js";
import { ANDROID_APP, VIEWER } from "../support/servers/project.js";
import { promptStop } from "../support/servers/prompt-stop.js";
import type { ServerProcess } from "../support/servers/server-process.js";

let server: ServerProcess;
test.beforeEach(async ({ startServer }) => {
  server = await startServer();
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s stops the server immediately, even with idle connections",
  async (signal) => {
    const agent = new Agent({ keepAlive: true });
    const urls = [server.integrityUrl, server.messagingDataUrl, server.adminUrl];
    for (const url of urls) {
      const [response] = (await once(get(`${url}/readyz`, { agent }), "response")) as [IncomingMessage];
      await response.toArray();
      const { hostname, port } = new URL(url);
      const unused = connect({ host: hostname, port: Number(port) });
      unused.on("error", () => {});
      await once(unused, "connect");
    }
    expect(await promptStop(server, signal)).toBe(0);
    agent.destroy();
  },
);

it("the server stops soon, even if a connection has begun another request", async () => {
  for (const url of [server.integrityUrl, server.messagingDataUrl, server.adminUrl]) {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => {});
    socket.write("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
    await new Promise<void>((resolve) => socket.write("GET /readyz HT", () => resolve()));
  }
  expect(await promptStop(server)).toBe(0);
});

it("a stopped or killed server releases its data directory for the next one", async ({ startServer }) => {
  const token = await server.token(VIEWER);
  for (const signal of ["SIGTERM", "SIGKILL", "SIGTERM"] as const) {
    await server.stop(signal);
    server = await startServer();
    // The token still works: the keys are the same.
    expect((await send(server.messagingDataUrl, listOf(ANDROID_APP), { token })).status).toBe(200);
  }
});
