import { beforeEach, expect } from "vitest";
import type { Json, RecordChange, RecordKind, Records } from "../../records.js";

export interface RecordsUnderTest {
  /** Opens the records as another process would. */
  open(): Promise<Records>;
  pass(milliseconds: number): void;
  /** The time by which records expire, in milliseconds since the Unix epoch. */
  now(): number;
}

/** Opens an engine without records. */
export type RecordsSetUp = () => Promise<RecordsUnderTest>;

export const PLAIN: RecordKind = { name: "plain" };
export const OTHER: RecordKind = { name: "other" };
export const FOLLOWED: RecordKind = { name: "followed", isFollowed: true };
export const AUDITED: RecordKind = { name: "audited", isFollowed: true, isAudited: true };
export const SECRET: RecordKind = { name: "secret", isAudited: true, isSecret: true };

/** Empty records for each test, and steps that many tests have. */
export type RecordsFixture = ReturnType<typeof useRecords>;

/** Opens empty records before each test. */
export function useRecords(setUp: RecordsSetUp) {
  let subject: RecordsUnderTest;
  let records: Records;
  beforeEach(async () => {
    subject = await setUp();
    records = await subject.open();
  });
  return {
    get records(): Records {
      return records;
    },
    open: (): Promise<Records> => subject.open(),
    pass: (milliseconds: number): void => subject.pass(milliseconds),
    now: (): number => subject.now(),
    put: (key: string, value: Json, more: Partial<RecordChange> = {}) =>
      records.change([{ kind: PLAIN, key, value, ...more }]),
    all: async (kind: RecordKind, from = records) =>
      (await from.list(kind, { limit: 1_000 })).map(({ key, value }) => [key, value]),
  };
}

/** Returns the new revision. The change must succeed. */
export async function revisionOf(change: Promise<number | undefined>): Promise<number> {
  const revision = await change;
  expect(revision).toBeTypeOf("number");
  return revision as number;
}
