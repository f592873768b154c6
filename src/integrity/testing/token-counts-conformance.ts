import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { RECORD_KINDS, type Records } from "../../control/records.js";
import { AdjustableClock, type Clock, systemClock } from "../../model/clock.js";
import { type Day, dayOfCivil, LAST_DAY } from "../../model/day.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import type { AppKey } from "../app-key.js";
import type { OutcomeCounts, TokenCount, TokenOutcome } from "../token-counts/token-counts.js";
import { TokenCounts } from "../token-counts/token-counts.js";
import type { TokenProvider } from "../tokens/token-issuer.js";

const APP = { project: "7", appId: "1:7:ios:a" };
const OTHER_APP = { project: "7", appId: "1:7:ios:ab" };
const REMOVED_APP = { project: "7", appId: "removed" };
const DAY = dayOfCivil(2026, 2, 28);
const DAY_MS = 86_400_000;

const PROVIDERS = ["app_attest", "custom", "debug"] as const satisfies readonly TokenProvider[];
const OUTCOMES = ["issued", "rejected", "reused"] as const satisfies readonly TokenOutcome[];

/** A token that a process counts, optionally followed by a flush. */
interface Step {
  readonly app: AppKey;
  readonly provider: TokenProvider;
  readonly outcome: TokenOutcome;
  /** Day of the token. It can be earlier than in the previous step. */
  readonly day: Day;
  readonly process: number;
  readonly isStored: boolean;
}

const STEP: fc.Arbitrary<Step> = fc.record({
  app: fc.constantFrom(APP, OTHER_APP, REMOVED_APP),
  provider: fc.constantFrom(...PROVIDERS),
  outcome: fc.constantFrom(...OUTCOMES),
  day: fc.integer({ min: DAY - 3, max: DAY + 3 }),
  process: fc.nat(1),
  isStored: fc.boolean(),
});

export interface TokenCountsUnderTest {
  /** Opens the records in the way another process would. They expire by this clock. */
  open(clock: Clock): Promise<Records>;
}

/** Tests of token counts. Run them for each storage engine of records. */
export function describeTokenCounts(name: string, setUp: () => Promise<TokenCountsUnderTest>): void {
  describe(name, () => {
    let subject: TokenCountsUnderTest;
    /** Serves both as the server clock and as the machine clock. */
    let clock: AdjustableClock;
    let machineClock: AdjustableClock;
    beforeEach(async () => {
      [clock, machineClock] = [stoppedClock(), stoppedClock()];
      subject = await setUp();
    });

    /** Opens the counts in the way another process would. Only `flush` stores them. */
    async function open(records?: Pick<Records, "get" | "list" | "change">, onStoreError = fail) {
      return new TokenCounts({
        records: records ?? (await subject.open(machineClock)),
        ...{ clock, machineClock },
        isRegistered: ({ appId }) => appId !== REMOVED_APP.appId,
        onStoreError,
        intervalMs: 3_600_000,
      });
    }

    it("are added up across processes that store them at the same time", async () => {
      const processes = await Promise.all([open(), open(), open()]);
      for (let round = 1; round <= 5; round++) {
        for (const each of processes) {
          each.count(APP, "debug", "issued");
          each.count(APP, "debug", "issued");
          each.count(APP, "app_attest", "rejected");
        }
        await Promise.all(processes.map((each) => each.flush()));
      }
      for (const each of [...processes, await open()])
        expect((await each.list(APP, undefined, 10)).map(withoutId)).toEqual([
          { day: DAY, provider: "app_attest", issued: 0, rejected: 15, reused: 0 },
          { day: DAY, provider: "debug", issued: 30, rejected: 0, reused: 0 },
        ]);
    });

    it("are listed by app, UTC day and provider, latest day first, in pages", async () => {
      const records = [await subject.open(machineClock), await subject.open(machineClock)];
      let runs = 0;
      const run = async (steps: readonly Step[], limit: number): Promise<void> => {
        // Each run has its own project, because all runs share the records.
        const project = `${runs++}`;
        const processes = await Promise.all(records.map((each) => open(each)));
        const expected = new Map<string, OutcomeCounts>();
        for (const { app, provider, outcome, day, process, isStored } of steps) {
          clock.set({ time: day * DAY_MS + 1_000 });
          processes[process]?.count({ ...app, project }, provider, outcome);
          if (isStored) await processes[process]?.flush();
          const key = rowOf(app.appId, day, provider);
          const before = expected.get(key) ?? NONE;
          expected.set(key, { ...before, [outcome]: before[outcome] + 1 });
        }
        for (const each of processes) await each.close();
        const reader = await open(records[0]);
        for (const { appId } of [APP, OTHER_APP, REMOVED_APP]) {
          const found: TokenCount[] = [];
          for (let isLast = false; !isLast; ) {
            const page = await reader.list({ project, appId }, found.at(-1)?.id, limit);
            found.push(...page);
            isLast = page.length < limit;
          }
          const listed = found.map(({ day, provider, issued, rejected, reused }) => [
            rowOf(appId, day, provider),
            { issued, rejected, reused },
          ]);
          const ofApp = [...expected].filter(([key]) => key.startsWith(`${appId} `));
          expect(listed).toEqual(
            appId === REMOVED_APP.appId ? [] : ofApp.sort(([a], [b]) => (a < b ? -1 : 1)),
          );
        }
      };
      await fc.assert(
        fc.asyncProperty(fc.array(STEP, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), run),
        {
          numRuns: 25,
        },
      );
    });

    it("are kept after a failed write, and stored with the next write", async () => {
      const records = await subject.open(machineClock);
      const errors: unknown[] = [];
      let isDown = true;
      const failing = {
        get: records.get.bind(records),
        list: records.list.bind(records),
        change: async (changes: Parameters<Records["change"]>[0]) => {
          if (isDown) throw new StoreUnavailableError("it is down");
          return records.change(changes);
        },
      };
      const counts = await open(failing, (error) => errors.push(error));
      counts.count(APP, "custom", "reused");
      await counts.flush();
      expect([errors.length, await counts.list(APP, undefined, 10)]).toEqual([1, []]);
      counts.count(APP, "custom", "reused");
      isDown = false;
      await counts.flush();
      expect(await counts.list(APP, undefined, 10)).toMatchObject([{ provider: "custom", reused: 2 }]);
    });

    it("expire 90 days after the last token of their day, by the machine clock", async () => {
      const counts = await open();
      counts.count(APP, "debug", "issued");
      await counts.flush();
      machineClock.set({ time: machineClock.wall() + DAY_MS });
      counts.count(APP, "debug", "issued");
      await counts.flush();
      machineClock.set({ time: machineClock.wall() + 90 * DAY_MS - 1 });
      expect(await counts.list(APP, undefined, 10)).toHaveLength(1);
      machineClock.set({ time: machineClock.wall() + 1 });
      expect(await counts.list(APP, undefined, 10)).toEqual([]);
    });

    it("are listed for the current day and the 90 days before it", async () => {
      const counts = await open();
      counts.count(APP, "debug", "issued");
      await counts.flush();
      clock.set({ time: (DAY + 91) * DAY_MS - 1 });
      expect(await counts.list(APP, undefined, 10)).toHaveLength(1);
      clock.set({ time: (DAY + 91) * DAY_MS });
      expect(await counts.list(APP, undefined, 10)).toEqual([]);
    });

    it("are stored within the interval, and when they are closed", async () => {
      const records = await subject.open(machineClock);
      const parts = { records, clock, machineClock, isRegistered: () => true, onStoreError: fail };
      const counts = new TokenCounts({ ...parts, intervalMs: 1 });
      counts.count(APP, "debug", "issued");
      await expect.poll(() => counts.list(APP, undefined, 10)).toHaveLength(1);
      counts.count(APP, "debug", "issued");
      await counts.close();
      expect(await counts.list(APP, undefined, 10)).toMatchObject([{ issued: 2 }]);
      expect(await records.list(RECORD_KINDS.attestationTokenCount, { limit: 10 })).toHaveLength(1);
    });
  });
}

/** Returns a string with the same sort order as the list. */
const rowOf = (appId: string, day: Day, provider: TokenProvider): string =>
  `${appId} ${LAST_DAY - day} ${provider}`;

const NONE: OutcomeCounts = { issued: 0, rejected: 0, reused: 0 };

function stoppedClock(): AdjustableClock {
  const clock = new AdjustableClock(systemClock);
  clock.set({ time: DAY * DAY_MS, rate: 0 });
  return clock;
}

function withoutId({ id: _, ...count }: TokenCount): Omit<TokenCount, "id"> {
  return count;
}

function fail(error: unknown): void {
  throw error;
}
