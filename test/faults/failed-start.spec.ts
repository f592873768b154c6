import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { systemClock } from "../../src/model/clock.js";
import { loadConfig } from "../../src/server/config/config.js";
import { createLogger } from "../../src/server/operators/logger.js";
import { it } from "../support/servers/process-fixtures.js";
import { builtServer } from "../support/servers/server.js";

it("a server that cannot start releases its data directory and its ports", async ({
  directory,
  startServer,
}) => {
  const occupied = createServer().listen(0, "127.0.0.1");
  await once(occupied, "listening");
  const { port } = occupied.address() as AddressInfo;
  const config = await loadConfig(undefined, {
    dataDir: join(directory, "data"),
    integrityPort: 0,
    messagingDataPort: 0,
    registryPort: 0,
    adminPort: port,
  });
  const built = await builtServer();
  const starting = built.startServer(config, createLogger("silent", systemClock), systemClock);
  await expect(starting).rejects.toMatchObject({ code: "EADDRINUSE", port });
  // Another process could not open the data directory while this one holds it.
  const server = await startServer();
  expect(await server.stop()).toBe(0);
  occupied.close();
});
