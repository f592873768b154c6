import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { opening } from "../support/closing.js";
import { controlOn, testDatabase } from "../support/cluster/postgres-database.js";
import { expectStateToSurviveKills } from "../support/data/attestation-kills.js";
import { APP, attestingServer } from "../support/data/attesting-server.js";
import { send } from "../support/http/exchange.js";
import { test as base } from "../support/servers/process-fixtures.js";
import { VIEWER } from "../support/servers/project.js";
import type { ServerProcess } from "../support/servers/server-process.js";

const PROCESSES = 3;
const CONCURRENT = 16;
const ROUNDS = 5;

const test = base
  .extend("database", { scope: "file" }, opening(testDatabase))
  /** Devices, and the configuration of processes that share the database. */
  .extend("attesting", { scope: "file" }, async ({ database, sharedDirectory }) => {
    const { devices, config } = await attestingServer(join(sharedDirectory, "root.pem"));
    return { devices, config: { ...config, control: controlOn(database, sharedDirectory) } };
  })
  .extend("servers", { scope: "file" }, ({ attesting, openSharedServer }) =>
    Promise.all(Array.from({ length: PROCESSES }, () => openSharedServer(attesting.config))),
  )
  .extend("viewerToken", { scope: "file" }, async ({ attesting, sharedDirectory }) => {
    const file = join(sharedDirectory, "shared.yaml");
    writeFileSync(file, JSON.stringify(attesting.config));
    return (await runInProcess(["token", "--config", file, "--principal", VIEWER])).stdout.trim();
  });

const urlOf = (servers: readonly ServerProcess[], index: number): string =>
  (servers[index % servers.length] as ServerProcess).integrityUrl;

const oneSuccess = [200, ...Array(CONCURRENT - 1).fill(403)];

test("one of 16 concurrent assertions with the same counter wins in three processes", async ({
  attesting: { devices },
  servers,
  viewerToken,
}) => {
  const attested = await devices.attest(urlOf(servers, 0));
  const path = `/v1/${APP}/attestedKeys/${attested.device.keyId.toString("base64url")}`;
  for (let counter = 1; counter <= ROUNDS; counter++) {
    const requests = await Promise.all(
      Array.from({ length: CONCURRENT }, (_, index) =>
        devices.assertion(urlOf(servers, index), attested, counter),
      ),
    );
    const responses = await Promise.all(
      requests.map((request, index) => devices.post(urlOf(servers, index + counter), request)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual(oneSuccess);
    for (const { integrityUrl } of servers) {
      const { text } = await send(integrityUrl, path, { token: viewerToken });
      expect(JSON.parse(text)).toMatchObject({ counter: `${counter}` });
    }
  }
});

test("one of 16 concurrent copies of an exchange wins in three processes", async ({
  attesting: { devices },
  servers,
}) => {
  const attested = await devices.attest(urlOf(servers, 0));
  const copied = [
    await devices.assertion(urlOf(servers, 1), attested),
    (await devices.attestation(urlOf(servers, 2))).request,
  ];
  for (const request of copied) {
    const responses = await Promise.all(
      Array.from({ length: CONCURRENT }, (_, index) => devices.post(urlOf(servers, index), request)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual(oneSuccess);
  }
});

test("a process that is killed at any point of exchanges lowers no counter, and accepts no challenge or token twice", async ({
  attesting: { devices, config },
  openServer,
  viewerToken,
}) => {
  const start = () => openServer(config);
  await expectStateToSurviveKills({ devices, start, token: async () => viewerToken });
});
