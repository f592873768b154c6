import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import type { Listener } from "../../server/listen/listener.js";
import { adminListener } from "../../server/operators/admin-listener.js";
import { clockRoutes } from "../../server/operators/clock-routes.js";
import { ADMIN_ACCESS } from "../../server/operators/testing/admin-access.js";
import { CommandFailure } from "../support/command-failure.js";
import { type AdminFlags, callAdmin } from "./admin-listener.js";

let listener: Listener;
let admin: string;
let directory: string;
beforeAll(async () => {
  listener = adminListener({
    access: ADMIN_ACCESS,
    metrics: new Registry(),
    ready: async () => {},
    routes: clockRoutes(undefined),
  });
  admin = await listener.listen("127.0.0.1", 0);
});
beforeEach(async () => {
  directory = await testDirectory();
});
afterAll(() => listener.close());

const place = (name: string): string => join(directory, name);
const writeToken = (name: string, token = ADMIN_ACCESS.token) => writeFile(place(name), `${token}\n`);

/** A command's response from a path that requires the admin token. */
const outcomeOf = (flags: Omit<AdminFlags, "admin">): Promise<string> =>
  callAdmin({ admin, ...flags }, "clock", {}).then(
    ({ status }) => String(status),
    (error: unknown) => {
      expect(error).toBeInstanceOf(CommandFailure);
      return (error as Error).message;
    },
  );

const ACCEPTED = /is not adjustable/;

test("an operator command reads the admin token from the data directory", async () => {
  await writeToken("admin-token");
  expect(await outcomeOf({ dataDir: directory })).toMatch(ACCEPTED);
});

test("an operator command reads the admin token from the configured file", async () => {
  await writeToken("admin-token");
  const config = place("waybill.yaml");
  await writeFile(config, JSON.stringify({ dataDir: directory }));
  expect(await outcomeOf({ config })).toMatch(ACCEPTED);
  await writeToken("other-token");
  await writeToken("admin-token", "the-wrong-token");
  await writeFile(config, JSON.stringify({ dataDir: directory, admin: { tokenFile: "./other-token" } }));
  expect(await outcomeOf({ config })).toMatch(ACCEPTED);
});

test("--admin-token-file has precedence over the configuration", async () => {
  await writeToken("mine");
  await writeToken("admin-token", "the-wrong-token");
  expect(await outcomeOf({ dataDir: directory, adminTokenFile: place("mine") })).toMatch(ACCEPTED);
  expect(await outcomeOf({ dataDir: directory })).toMatch(
    /rejected the request: The token is not the server's admin token/,
  );
});

test("an operator command without an admin token fails with the file name and the flags to set", async () => {
  const missing = await outcomeOf({ dataDir: directory });
  expect(missing).toContain(
    `cannot read the admin token ${place("admin-token")}: there is no such file or directory; set --data-dir`,
  );
  await writeToken("admin-token", "two words");
  expect(await outcomeOf({ dataDir: directory })).toBe(`${place("admin-token")} contains no admin token`);
});
