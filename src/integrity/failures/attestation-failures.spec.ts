import { beforeEach, expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import type { EmbeddedRecords } from "../../control/embedded/embedded-records.js";
import { testRecords } from "../../control/testing/test-records.js";
import { AdjustableClock } from "../../model/clock.js";
import { AttestationFailures } from "./attestation-failures.js";

const APP = { project: "7", appId: "1:7:ios:a" };
const FAILURE = { provider: "app_attest", step: "rp_id_hash", expected: "a", found: "b" } as const;

let records: EmbeddedRecords;
let now: number;
let clock: AdjustableClock;
let counted: number;
let failures: AttestationFailures;
beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  counted = 0;
  const machineClock = { wall: () => now, monotonic: () => now };
  clock = new AdjustableClock(machineClock);
  records = await testRecords(await testDirectory(), machineClock);
  failures = new AttestationFailures({
    ...{ records, clock, machineClock },
    onFailure: () => counted++,
    onStoreError: (error) => {
      throw error;
    },
  });
});

it("AttestationFailures returns the same error for all failures", async () => {
  const errors = [
    await failures.fail(APP, FAILURE),
    await failures.fail({ ...APP, appId: "b" }, { ...FAILURE, step: "counter", found: "3" }),
  ];
  const shown = errors.map(({ message, reason, metadata, httpStatus }) => [
    message,
    reason,
    metadata,
    httpStatus,
  ]);
  const expected = ["App attestation failed.", "APP_ATTESTATION_FAILED", {}, 403];
  expect(shown).toEqual([expected, expected]);
});

it("AttestationFailures lists the failures of one app in pages, latest first", async () => {
  for (const step of ["nonce", "counter", "key_id"]) {
    now += 1;
    await failures.fail(APP, { ...FAILURE, step });
    await failures.fail({ ...APP, appId: `${APP.appId}b` }, FAILURE);
  }
  const [first, ...others] = await failures.list(APP, undefined, 1);
  expect([first, others]).toEqual([{ ...FAILURE, step: "key_id", id: first?.id, time: now }, []]);
  const rest = await failures.list(APP, first?.id, 10);
  expect(rest.map(({ step }) => step)).toEqual(["counter", "nonce"]);
});

it("AttestationFailures does not list failures from more than seven days ago", async () => {
  await failures.fail(APP, FAILURE);
  now += 7 * 86_400_000 - 1;
  expect(await failures.list(APP, undefined, 10)).toHaveLength(1);
  now += 1;
  expect(await failures.list(APP, undefined, 10)).toEqual([]);
});

it("AttestationFailures lists times by the adjustable clock, and no failures from more than seven days before it", async () => {
  const times = [now + 86_400_000, now + 7 * 86_400_000, Date.UTC(2400, 0, 1), Date.UTC(2400, 0, 2)];
  for (const time of times) {
    clock.set({ time, rate: 0 });
    await failures.fail(APP, FAILURE);
  }
  const listedAt = async (time: number) => {
    clock.set({ time });
    return (await failures.list(APP, undefined, 10)).map((failure) => times.indexOf(failure.time));
  };
  const [first = now] = times;
  expect(await listedAt(first + 7 * 86_400_000 - 1)).toEqual([3, 2, 1, 0]);
  expect(await listedAt(first + 7 * 86_400_000)).toEqual([3, 2, 1]);
  expect(await listedAt(Date.UTC(2400, 0, 8))).toEqual([3]);
  expect(await listedAt(Date.UTC(2400, 0, 9))).toEqual([]);
});

it("AttestationFailures stores at most 30 failures of an app per minute, and counts all of them", async () => {
  for (let index = 0; index < 40; index++) await failures.fail(APP, FAILURE);
  expect([(await failures.list(APP, undefined, 100)).length, counted]).toEqual([30, 40]);
  now += 60_000;
  await failures.fail(APP, FAILURE);
  expect(await failures.list(APP, undefined, 100)).toHaveLength(31);
});
