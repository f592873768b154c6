import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { RECORDS_FILE } from "../../src/control/embedded/records-file.js";
import { configOf, nameOf, patch, readConfig } from "../support/data/integrity.js";
import { CHANGES_CONFIG, readHistory } from "../support/data/integrity-changes.js";
import { send } from "../support/http/exchange.js";
import { skipWithout } from "../support/needs.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { BASE_CONFIG, EDITOR } from "../support/servers/project.js";
import type { ServerProcess } from "../support/servers/server-process.js";

const KILLS = 3;

const test = serving.extend(
  "start",
  ({ startServer }) =>
    (config: object = CHANGES_CONFIG): Promise<ServerProcess> =>
      startServer(config, ["--only", "integrity"]),
);

describe("a changed configuration", () => {
  const warnings = (server: ServerProcess): Record<string, unknown>[] =>
    server
      .log()
      .split("\n")
      .filter((line) => line.includes('"level":"warn"'))
      .map((line) => JSON.parse(line));

  test("survives restarts, overrides the configuration file, and is logged at startup", async ({ start }) => {
    const before = await start();
    const token = await before.token(EDITOR);
    expect(warnings(before)).toEqual([]);
    const { text } = await patch(before, token, "app-7d", { tokenTtl: "7200s" });
    await patch(before, token, "kept", { tokenTtl: "7200s" });
    expect(await before.stop()).toBe(0);

    const after = await start();
    expect(await readConfig(after, token, "app-7d")).toEqual(JSON.parse(text));
    expect(warnings(after)).toEqual([
      expect.objectContaining({
        name: nameOf("app-7d"),
        stored: "7200s",
        principal: EDITOR,
        changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        configured: "604800s",
        msg: expect.stringContaining("7200s"),
      }),
    ]);
    expect((await patch(after, token, "app-7d", { tokenTtl: "604800s" })).status).toBe(200);
    expect(await after.stop()).toBe(0);
    expect(warnings(await start())).toEqual([]);
  });

  test("is kept while its app is not registered", async ({ start }) => {
    const before = await start();
    const token = await before.token(EDITOR);
    const { text } = await patch(before, token, "kept", { tokenTtl: "7200s" });
    await before.stop();
    const without = await start(BASE_CONFIG);
    expect((await send(without.integrityUrl, configOf("kept"), { token })).status).toBe(404);
    await without.stop();
    expect(await readConfig(await start(), token, "kept")).toEqual(JSON.parse(text));
  });

  test("is on disk when it is acknowledged: killing the server after each response loses no change", async ({
    start,
  }) => {
    let token = "";
    for (let kill = 0; kill < KILLS; kill++) {
      const server = await start();
      token ||= await server.token(EDITOR);
      const last = await readConfig(server, token, "kept");
      expect(last.tokenTtl).toBe(kill === 0 ? "3600s" : `${1800 + 2 * kill - 1}s`);
      await patch(server, token, "kept", { tokenTtl: `${1800 + 2 * kill}s` });
      const { status } = await patch(server, token, "kept", {
        tokenTtl: `${1801 + 2 * kill}s`,
        etag: (await readConfig(server, token, "kept")).etag,
      });
      await server.stop("SIGKILL");
      expect(status).toBe(200);
    }
  });

  test("survives a kill during other changes if it was acknowledged", async ({ start }) => {
    let token = "";
    for (let kill = 0; kill < KILLS; kill++) {
      const server = await start();
      token ||= await server.token(EDITOR);
      const bearer = token;
      let responded = 0;
      const ended = Promise.all(
        ["kept", "raced", "changed"].map(async (app) => {
          let acknowledged = await readConfig(server, bearer, app);
          for (let seconds = 1800; ; seconds++) {
            const response = await patch(server, bearer, app, { tokenTtl: `${seconds}s` }).catch(
              () => undefined,
            );
            if (response?.status !== 200) return { app, acknowledged, sent: `${seconds}s` };
            acknowledged = JSON.parse(response.text);
            responded++;
          }
        }),
      );
      await poll(() => responded > 10);
      await server.stop("SIGKILL");
      const after = await start();
      for (const { app, acknowledged, sent } of await ended) {
        const found = await readConfig(after, bearer, app);
        // The last change may have been stored without an acknowledgement.
        if (found.tokenTtl === sent) expect(found.etag).not.toBe(acknowledged.etag);
        else expect(found).toEqual(acknowledged);
      }
      await after.stop();
    }
  });

  test("is shared by servers with the same data directory, without lost updates", async ({ start }) => {
    const one = await start();
    const two = await start();
    const both = [one, two];
    const token = await one.token(EDITOR);
    const seenByBoth = async (tokenTtl: string): Promise<void> => {
      for (const server of both) {
        const seen = await poll(
          () => readConfig(server, token, "raced"),
          (found) => found.tokenTtl === tokenTtl,
        );
        expect(seen.tokenTtl).toBe(tokenTtl);
      }
    };
    await patch(one, token, "raced", { tokenTtl: "1800s" });
    await seenByBoth("1800s");

    for (let round = 0; round < 3; round++) {
      const { etag } = await readConfig(one, token, "raced");
      const ttls = [0, 1, 2, 3].map((index) => `${2000 + 10 * round + index}s`);
      const responses = await Promise.all(
        ttls.map((tokenTtl, index) => patch(both[index % 2] ?? one, token, "raced", { tokenTtl, etag })),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      await seenByBoth(ttls[responses.findIndex(({ status }) => status === 200)] ?? "");
    }

    const ttls = Array.from({ length: 12 }, (_, index) => `${5000 + index}s`);
    const responses = await Promise.all(
      ttls.map((tokenTtl, index) => patch(both[index % 2] ?? one, token, "kept", { tokenTtl })),
    );
    expect(responses.map(({ status }) => status)).toEqual(ttls.map(() => 200));
    const history = (await readHistory(one.dataDir)).map(({ tokenTtl }) => tokenTtl);
    expect(history).toEqual(expect.arrayContaining(ttls));
    expect(new Set(responses.map(({ text }) => JSON.parse(text).etag)).size).toBe(ttls.length);
    const [ofOne, ofTwo] = await poll(
      () => Promise.all(both.map((server) => readConfig(server, token, "kept"))),
      ([a, b]) => a?.etag === b?.etag,
    );
    expect(ofOne).toEqual(ofTwo);
  });

  test("is not affected by changes that fail because the disk is full", async ({ start, skip }) => {
    skipWithout("Linux", skip);
    const server = await start();
    const token = await server.token(EDITOR);
    const { text } = await patch(server, token, "kept", { tokenTtl: "1800s" });
    const { size } = statSync(join(server.dataDir, `${RECORDS_FILE}-wal`));
    const limit = (bytes: number | "unlimited"): void => {
      execFileSync("prlimit", ["--pid", String(server.process.pid), `--fsize=${bytes}:`]);
    };
    for (const room of [20, 20, 0]) {
      limit(size + room);
      const rejected = await patch(server, token, "kept", { tokenTtl: "1900s" });
      expect(rejected.status).toBe(503);
      expect(rejected.headers["retry-after"]).toMatch(/^\d+$/);
      expect(errorOf(rejected.text)).toMatchObject({ status: "UNAVAILABLE", reason: "STORE_UNAVAILABLE" });
      expect(await readConfig(server, token, "kept")).toEqual(JSON.parse(text));
    }
    expect(
      (await fetch(`${server.adminUrl}/metrics`).then((response) => response.text())).split("\n"),
    ).toContain('waybill_store_errors_total{caller="UpdateAppAttestConfig"} 3');
    limit("unlimited");
    const done = await patch(server, token, "kept", { tokenTtl: "2000s", etag: JSON.parse(text).etag });
    expect(done.status).toBe(200);
    await server.stop("SIGKILL");
    expect(await readConfig(await start(), token, "kept")).toEqual(JSON.parse(done.text));
  });
});

test("a server does not start with damaged control data, and prints the remedy in one line", async ({
  start,
}) => {
  const before = await start();
  const token = await before.token(EDITOR);
  expect((await patch(before, token, "kept", { tokenTtl: "1801s" })).status).toBe(200);
  await before.stop();
  const file = await open(join(before.dataDir, RECORDS_FILE), "r+");
  await file.write(Buffer.alloc(100, 7), 0, 100, 0);
  await file.close();
  await expect(start()).rejects.toThrow(
    /records\.db cannot be opened: it is damaged; restore it from a backup/,
  );
});
