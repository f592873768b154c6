import { expect, it, test } from "vitest";
import type { ConfigChange } from "../../src/integrity/app-attest-configs.js";
import { ChangeLedger } from "./change-ledger.js";

/** A change of the only app, as in a history. */
const change = (revision: number, tokenTtl: string, previousTokenTtl: string | null): ConfigChange => ({
  time: "2026-01-01T00:00:00.000Z",
  principal: "p",
  project: "1",
  appId: "a",
  revision,
  updateMask: "tokenTtl",
  tokenTtl,
  previousTokenTtl,
});

/** A ledger of two acknowledged changes, a rejected one, and one with an unknown outcome. */
function ledgerOfFour(): { ledger: ChangeLedger; ttls: readonly [string, string, string, string] } {
  const ledger = new ChangeLedger();
  const first = ledger.begin(undefined);
  const second = ledger.begin(first);
  const rejected = ledger.begin(first);
  const unknown = ledger.begin(second);
  ledger.settle(first, "acknowledged");
  ledger.settle(second, "acknowledged");
  ledger.settle(rejected, "rejected");
  return { ledger, ttls: [first, second, rejected, unknown] };
}

it("ChangeLedger accepts a history of all acknowledged changes, with or without changes of unknown outcome", () => {
  const { ledger, ttls } = ledgerOfFour();
  const [first, second, , unknown] = ttls;
  const known = [change(1, first, null), change(2, second, first)];
  expect(ledger.violations(known)).toEqual([]);
  expect(ledger.violations([...known, change(3, unknown, second)])).toEqual([]);
});

test.each<[what: string, journal: (ttls: readonly string[]) => ConfigChange[], violation: RegExp]>([
  ["a lost change", ([first = ""]) => [change(1, first, null)], /is lost/],
  [
    "a gap",
    ([first = "", second = ""]) => [change(1, first, null), change(3, second, first)],
    /not the next/,
  ],
  [
    "a rejected change",
    ([first = "", second = "", rejected = ""]) => [
      change(1, first, null),
      change(2, second, first),
      change(3, rejected, second),
    ],
    /it was rejected/,
  ],
  [
    "a change with an outdated etag",
    ([first = "", second = "", , unknown = ""]) => [
      change(1, first, null),
      change(2, unknown, first),
      change(3, second, unknown),
    ],
    /its etag did not match/,
  ],
  [
    "a change that was made twice",
    ([first = "", second = ""]) => [
      change(1, first, null),
      change(2, second, first),
      change(3, second, second),
    ],
    /made twice/,
  ],
  [
    "a change that nobody sent",
    ([first = ""]) => [change(1, first, null), change(2, "9999s", first)],
    /nobody sent/,
  ],
])("ChangeLedger finds %s", (_what, journal, violation) => {
  const { ledger, ttls } = ledgerOfFour();
  expect(ledger.violations(journal(ttls))).toContainEqual(expect.stringMatching(violation));
});
