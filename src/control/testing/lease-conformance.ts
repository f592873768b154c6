import { beforeEach, describe, expect, it } from "vitest";
import type { LeaseStore } from "../lease-store.js";

export interface LeasesUnderTest {
  readonly leases: LeaseStore;
  /** Lets time pass for the leases. */
  pass(milliseconds: number): Promise<void>;
}

/** Duration of leases, in milliseconds. It is long because time may also pass while a slow machine runs the tests. */
const TTL = 10_000_000;

/** Tests of leases, for any implementation. */
export function describeLeaseStore(name: string, setUp: () => Promise<LeasesUnderTest>): void {
  describe(name, () => {
    let subject: LeasesUnderTest;
    beforeEach(async () => {
      subject = await setUp();
    });
    const acquire = (holder: string, name = "work") => subject.leases.acquire(name, holder, TTL);

    it("grants a lease to one of several concurrent holders", async () => {
      const responses = await Promise.all(["a", "b", "c", "d"].map((holder) => acquire(holder)));
      expect(responses.filter((lease) => lease !== undefined)).toHaveLength(1);
    });

    it("keeps leases of different names apart", async () => {
      expect(await acquire("a", "one")).toBeDefined();
      expect(await acquire("b", "two")).toBeDefined();
      expect(await acquire("b", "one")).toBeUndefined();
    });

    it("extends its holder's lease, under the same fencing number", async () => {
      const first = await acquire("a");
      for (let i = 0; i < 5; i++) {
        await subject.pass(0.6 * TTL);
        expect(await acquire("a")).toEqual(first);
        expect(await acquire("b")).toBeUndefined();
      }
    });

    it("frees a lease that was not extended in time, with a higher fencing number for the next holder", async () => {
      const first = (await acquire("a"))?.fence ?? Number.NaN;
      await subject.pass(TTL + 1);
      const second = (await acquire("b"))?.fence ?? Number.NaN;
      expect(second).toBeGreaterThan(first);
      expect(await acquire("a")).toBeUndefined();
      await subject.pass(TTL + 1);
      expect((await acquire("b"))?.fence).toBeGreaterThan(second);
    });

    it("frees only the lease that its holder releases", async () => {
      const first = (await acquire("a"))?.fence ?? Number.NaN;
      await subject.leases.release("work", "b");
      expect(await acquire("b")).toBeUndefined();
      await subject.leases.release("work", "a");
      expect((await acquire("b"))?.fence).toBeGreaterThan(first);
      await subject.leases.release("work", "a");
      expect(await acquire("a")).toBeUndefined();
    });
  });
}
