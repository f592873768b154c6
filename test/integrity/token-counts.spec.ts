import { randomUUID } from "node:crypto";
import { type AttestationTokenCountJson, WaybillClient } from "@waybill/client";
import { describe, expect } from "vitest";
import { poll } from "../support/poll.js";
import { it as serving } from "../support/servers/process-fixtures.js";
import { BASE_CONFIG, EDITOR, IOS_APP, NO_ROLE, PROJECT, VIEWER } from "../support/servers/project.js";
import type { ServerProcess } from "../support/servers/server-process.js";
import { setClock } from "../support/servers/set-clock.js";

const APP = { project: PROJECT.id, app: IOS_APP };
const OTHER_APP = { project: PROJECT.id, app: "app-7d" };
const INTEGRITY = ["--only", "integrity"];

/** A noon, so that a test stays within a day. */
const NOON = "2026-03-01T12:00:00Z";
const date = { year: 2026, month: 3, day: 1 };

const it = serving.override("config", { ...BASE_CONFIG, clock: { adjustable: true } });

const clientOf = async (server: ServerProcess, principal: string) => {
  const { integrityUrl } = server;
  return new WaybillClient({ integrityUrl, token: await server.token(principal) }).attestation;
};

/** Issues a token, which is then consumed twice, and rejects another exchange. */
async function useTokens(server: ServerProcess, debugToken: string): Promise<void> {
  const client = await clientOf(server, EDITOR);
  const { token: appCheckToken = "" } = await client.exchangeDebugToken({ ...APP, debugToken });
  for (const alreadyConsumed of [undefined, true])
    expect(await client.verifyAppCheckToken({ project: PROJECT.id, appCheckToken })).toEqual(
      alreadyConsumed ? { alreadyConsumed } : {},
    );
  await expect(client.exchangeDebugToken({ ...APP, debugToken: randomUUID() })).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
  });
}

async function createdToken(server: ServerProcess): Promise<string> {
  const token = randomUUID();
  await (await clientOf(server, EDITOR)).createDebugToken({ ...APP, displayName: "CI", token });
  return token;
}

const countsOf = async (server: ServerProcess, app = APP): Promise<readonly AttestationTokenCountJson[]> =>
  (await clientOf(server, VIEWER)).listAttestationTokenCounts(app).toArray();

/** Waits until this number of tokens is counted. */
const countedUp = (server: ServerProcess, total: number): Promise<readonly AttestationTokenCountJson[]> =>
  poll(
    () => countsOf(server),
    (counts) => totalOf(counts) === total,
  );

const totalOf = (counts: readonly AttestationTokenCountJson[]): number =>
  counts
    .flatMap(({ issuedCount = 0, rejectedCount = 0, reusedCount = 0 }) => [
      issuedCount,
      rejectedCount,
      reusedCount,
    ])
    .reduce<number>((sum, count) => sum + Number(count), 0);

describe("counts of app tokens", () => {
  it("are listed for viewers by UTC day, in pages, latest day first", async ({ server }) => {
    await setClock(server, { time: NOON, rate: 0 });
    const debugToken = await createdToken(server);
    await useTokens(server, debugToken);
    await useTokens(server, debugToken);
    const first = { date, provider: "debug", issuedCount: "2", rejectedCount: "2", reusedCount: "2" };
    expect(await countedUp(server, 6)).toEqual([first]);
    // It is the next day in UTC, but not in Los Angeles.
    await setClock(server, { advance: "13h" });
    const client = await clientOf(server, EDITOR);
    await client.exchangeDebugToken({ ...APP, debugToken });
    await expect(client.exchangeCustomToken({ ...APP, customToken: "x" })).rejects.toThrow();
    const next = { ...date, day: 2 };
    expect(await countedUp(server, 8)).toEqual([
      { date: next, provider: "custom", rejectedCount: "1" },
      { date: next, provider: "debug", issuedCount: "1" },
      first,
    ]);
    const pages = (await clientOf(server, VIEWER))
      .listAttestationTokenCounts({ ...APP, pageSize: 2 })
      .pages();
    const lengths: number[] = [];
    for await (const { attestationTokenCounts = [] } of pages) lengths.push(attestationTokenCounts.length);
    expect(lengths).toEqual([2, 1]);
    expect(await countsOf(server, OTHER_APP)).toEqual([]);
  });

  it("are added up across processes, and stored when they stop", async ({ startServer, config }) => {
    const processes = [await startServer(config, INTEGRITY), await startServer(config, INTEGRITY)];
    const [first] = processes;
    if (first === undefined) throw new Error("no process has started");
    for (const process of processes) await setClock(process, { time: NOON, rate: 0 });
    const debugToken = await createdToken(first);
    await Promise.all(processes.map((process) => useTokens(process, debugToken)));
    await Promise.all(processes.map((process) => process.stop()));
    const restarted = await startServer(config, INTEGRITY);
    await setClock(restarted, { time: NOON });
    expect(await countsOf(restarted)).toEqual([
      { date, provider: "debug", issuedCount: "2", rejectedCount: "2", reusedCount: "2" },
    ]);
  });

  it("need the role viewer, and a registered app", async ({ server }) => {
    const code = async (principal: string, app = APP) =>
      (await clientOf(server, principal))
        .listAttestationTokenCounts(app)
        .toArray()
        .catch(({ code }) => code);
    expect(await code(NO_ROLE)).toBe("PERMISSION_DENIED");
    expect(await code(VIEWER, { ...APP, app: "unknown" })).toBe("NOT_FOUND");
  });
});
