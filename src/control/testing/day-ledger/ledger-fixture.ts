import { afterEach, beforeEach, expect } from "vitest";
import { type Day, LAST_DAY } from "../../../model/day.js";
import { FencedError, StoreUnavailableError } from "../../../model/store-error.js";
import type { DayLedger } from "../../day-ledger.js";

export const PROJECT = "123456789012";
export const OTHER = "42";
export const DAY: Day = 20_000;

export interface LedgerUnderTest {
  /** Opens the ledger as another process would. It sees publications of others without delay. */
  open(): DayLedger;
  dispose(): Promise<void>;
}

export type LedgerSetUp = (options?: { readonly admissionMs: number }) => Promise<LedgerUnderTest>;

/** A ledger for each test, as two processes see it, and steps that many tests have. */
export type LedgerFixture = ReturnType<typeof useLedger>;

/** Opens an empty ledger before each test. */
export function useLedger(setUp: LedgerSetUp) {
  let subject: LedgerUnderTest;
  let ledger: DayLedger;
  let other: DayLedger;
  const start = async (...options: Parameters<LedgerSetUp>): Promise<void> => {
    subject = await setUp(...options);
    ledger = subject.open();
    other = subject.open();
  };
  beforeEach(() => start());
  afterEach(() => subject.dispose());
  return {
    get ledger(): DayLedger {
      return ledger;
    },
    /** The same ledger in another process. */
    get other(): DayLedger {
      return other;
    },
    /** Opens the same ledger in a further process. */
    open: (): DayLedger => subject.open(),
    reopenOther: (): void => {
      other = subject.open();
    },
    restart: async (options: { readonly admissionMs: number }): Promise<void> => {
      await subject.dispose();
      await start(options);
    },
    change: async (days: readonly Day[], project = PROJECT, events = 1): Promise<void> =>
      ledger.markStale(
        await ledger.admit(),
        days.map((day) => ({ project, day, events })),
      ),
    /** Publishes days with entries. Returns their version. */
    rollUp: async (days: readonly Day[], project = PROJECT): Promise<number> => {
      const run = await ledger.begin(project, days);
      await ledger.publish(run, full(...days));
      return run.version;
    },
    stale: (project = PROJECT) => other.staleDays({ project, limit: 100 }),
    published: (until = LAST_DAY, project = PROJECT) => other.published(project, until),
  };
}

/** Publications of days that have entries. */
export const full = (...days: readonly Day[]) => days.map((day) => ({ day, isEmpty: false }));

export const fence = (number: number, lease = "work") => ({ lease, number });

export const isFenced = (work: Promise<unknown>) => expect(work).rejects.toBeInstanceOf(FencedError);

export const isRejected = (work: Promise<unknown>) =>
  expect(work).rejects.toBeInstanceOf(StoreUnavailableError);

/** Waits for a condition that other calls will meet. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}
