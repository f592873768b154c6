import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { testDirectory } from "../../test/support/test-directory.js";
import { RECORD_KINDS, type Records } from "../control/records.js";
import { testRecords } from "../control/testing/test-records.js";
import { WaitAllowance, WaitTimeoutError } from "../limits/limit-wait.js";
import { MAX_WAIT_MS } from "../limits/request-limits.js";
import { StoreUnavailableError } from "../model/store-error.js";
import { fileRegistry } from "../registry/testing/file-registry.js";
import { AppAttestConfigs } from "./app-attest-configs.js";
import { AUTHOR, describeAppAttestConfigs } from "./testing/app-attest-configs-conformance.js";

const PROJECT = "7";
const PROJECTS = [{ id: "project", number: PROJECT, apps: [{ id: "a" }] }];
const ttl = (seconds: number) => ({ seconds: BigInt(seconds), nanos: 0 });
const to = (seconds: number) => ({
  author: AUTHOR,
  updateMask: "tokenTtl",
  valuesAfter: () => ({ tokenTtl: ttl(seconds) }),
});

let directory: string;
beforeEach(async () => {
  directory = await testDirectory();
});

const openRecords = () => testRecords(directory);

const open = async (records: Records) =>
  AppAttestConfigs.open({ records, registry: await fileRegistry({ projects: PROJECTS }), maxStaleness: 0 });

describeAppAttestConfigs("AppAttestConfigs", async () => ({ open: openRecords }));

it("reads a configuration record that has unknown fields of a later version", async () => {
  const records = await openRecords();
  const value = { config: { tokenTtl: "5000s", more: { to: "come" } }, revision: 4, also: true };
  await records.change([{ kind: RECORD_KINDS.appAttestConfig, key: `${PROJECT}/a`, value }]);
  expect(await (await open(records)).find(PROJECT, "a")).toEqual({ tokenTtl: ttl(5000), revision: 4 });
});

it("repeats a change of a configuration after a conflict", async () => {
  const [first, second] = [await openRecords(), await openRecords()];
  const other = await open(second);
  let isInterrupted = false;
  const interrupted: Records = Object.create(first, {
    change: {
      value: async (changes: Parameters<Records["change"]>[0]) => {
        if (!isInterrupted) await other.change(PROJECT, "a", to(5000));
        isInterrupted = true;
        return first.change(changes);
      },
    },
    changesSince: { value: first.changesSince.bind(first) },
    onChange: { value: first.onChange.bind(first) },
  });
  const seen: unknown[] = [];
  const changed = await (await open(interrupted)).change(PROJECT, "a", {
    ...to(0),
    valuesAfter: (current) => {
      seen.push(current);
      return { tokenTtl: ttl(6000) };
    },
  });
  expect(seen).toEqual([{}, { tokenTtl: ttl(5000), revision: 1 }]);
  expect(changed).toEqual({ tokenTtl: ttl(6000), revision: 2 });
});

it("rejects a change of a configuration after too many conflicts", async () => {
  const records = await openRecords();
  const losing: Records = Object.create(records, {
    change: { value: async () => undefined },
    changesSince: { value: records.changesSince.bind(records) },
    onChange: { value: records.onChange.bind(records) },
  });
  const lost = (await open(losing)).change(PROJECT, "a", to(1800));
  await expect(lost).rejects.toBeInstanceOf(StoreUnavailableError);
});

it("rejects reads if the local copy is stale and the records cannot be read", async () => {
  const records = await openRecords();
  const configs = await open(records);
  await configs.change(PROJECT, "a", to(1800));
  await records.close();
  await expect(configs.find(PROJECT, "a")).rejects.toBeInstanceOf(StoreUnavailableError);
  await expect(configs.change(PROJECT, "a", to(1900))).rejects.toBeInstanceOf(StoreUnavailableError);
});

it("rejects a change that waits too long, and accepts the same change later", async () => {
  const store = await open(await openRecords());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const allowance = new WaitAllowance();
  const signal = allowance.cover(new AbortController().signal);
  const now = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValueOnce(4_000);
  allowance.begin();
  allowance.end();
  now.mockRestore();
  const first = store.change(PROJECT, "a", to(2000));
  const rejection = expect(store.change(PROJECT, "a", to(3000), signal)).rejects.toThrow(WaitTimeoutError);
  vi.advanceTimersByTime(MAX_WAIT_MS - 4_000);
  await rejection;
  expect((await first)?.tokenTtl).toEqual(ttl(2000));
  expect((await store.change(PROJECT, "a", to(3000)))?.tokenTtl).toEqual(ttl(3000));
});
