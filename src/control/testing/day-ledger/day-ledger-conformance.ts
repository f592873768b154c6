import { describe, expect, it } from "vitest";
import { describeAdoptedDays } from "./adopted-days-conformance.js";
import { describeErasedProjects } from "./erased-projects-conformance.js";
import { describeEventNames } from "./event-names-conformance.js";
import { DAY, isRejected, type LedgerSetUp, PROJECT, useLedger } from "./ledger-fixture.js";
import { describePublications } from "./publications-conformance.js";
import { describeSealedDays } from "./sealed-days-conformance.js";
import { describeStaleDays } from "./stale-days-conformance.js";

/**
 * Tests of ledgers, for any implementation. Each test begins with an empty ledger, which two processes have opened.
 */
export function describeDayLedger(name: string, setUp: LedgerSetUp): void {
  describe(name, () => {
    const fixture = useLedger(setUp);
    describeStaleDays(fixture);
    describeEventNames(fixture);
    describePublications(fixture);
    describeSealedDays(fixture);
    describeAdoptedDays(fixture);
    describeErasedProjects(fixture);

    it("rejects a second end of an admission", async () => {
      const { ledger, other, stale } = fixture;
      const admission = await ledger.admit();
      await ledger.markStale(admission, []);
      await isRejected(ledger.markStale(admission, [{ project: PROJECT, day: DAY, events: 1 }]));
      expect([await stale(), await other.isEmpty()]).toEqual([[], true]);
    });
  });
}
