import { describe, expect, it, test } from "vitest";
import { MAX_EVALUATED_DAYS, MAX_IDENTIFIED_INCIDENTS } from "../../limits/data-limits.js";
import { appIncident, type ShareIncident } from "../testing/app-incident.js";
import { MemoryRecords } from "../testing/memory-records.js";
import type { AppIncident } from "./app-incident.js";
import { IncidentIds, identify, type KnownIncident, knownAfter } from "./incident-ids.js";

const UNTIL = 20_000;
const PROJECT = "1";

/** An incident between two days, each as a number of days before {@link UNTIL}. */
const incident = (start: number, end?: number, of: Partial<ShareIncident> = {}): AppIncident =>
  appIncident({ startDay: UNTIL - start, ...(end !== undefined && { endDay: UNTIL - end }), ...of });

/** Identifies incidents repeatedly, as the job does. Ids are written as letters, in order of first use. */
class Finding {
  known: readonly KnownIncident[] = [];
  readonly #letters: string[] = [];

  find(incidents: readonly AppIncident[], { after = 0 } = {}): string {
    const identified = identify(PROJECT, this.known, incidents);
    this.known = knownAfter(PROJECT, this.known, identified, UNTIL + after);
    // Lists show the same ids before and after they are recorded.
    expect(identify(PROJECT, this.known, incidents)).toEqual(identified);
    return identified.map(({ id }) => this.#letterOf(id)).join("");
  }

  #letterOf(id: string): string {
    if (!this.#letters.includes(id)) this.#letters.push(id);
    return String.fromCharCode("a".charCodeAt(0) + this.#letters.indexOf(id));
  }
}

describe("IncidentIds keeps an incident's id", () => {
  test.each([
    ["while it is ongoing", [incident(3)], "a", [incident(3)], "a"],
    ["when it ends", [incident(3)], "a", [incident(3, 1)], "a"],
    ["when its end moves", [incident(9, 5)], "a", [incident(9, 3)], "a"],
    ["when its start moves back", [incident(3)], "a", [incident(5)], "a"],
    ["when its start moves ahead", [incident(5)], "a", [incident(3)], "a"],
    ["next to a new one", [incident(9, 5)], "a", [incident(9, 5), incident(2)], "ab"],
    ["for the larger part of it", [incident(9)], "a", [incident(9, 7), incident(5)], "ba"],
    ["if it is the larger of two joined incidents", [incident(9, 8), incident(6)], "ab", [incident(9)], "b"],
    ["when another begins on its first day", [incident(9)], "a", [incident(5), incident(9, 7)], "ab"],
  ] as const)("%s", (_, first, firstIds, second, secondIds) => {
    const finding = new Finding();
    expect(finding.find(first)).toBe(firstIds);
    expect(finding.find(second)).toBe(secondIds);
  });

  it("when it is detected again", () => {
    const finding = new Finding();
    finding.find([incident(3)]);
    finding.find([]);
    expect(finding.find([incident(4)])).toBe("a");
  });

  it("although another begins on its first day while it is not detected", () => {
    const finding = new Finding();
    finding.find([incident(9, 4)]);
    finding.find([incident(5, 4)]);
    finding.find([]);
    expect(finding.find([incident(9, 8)])).toBe("b");
    expect(finding.find([incident(5, 4), incident(9, 8)])).toBe("ab");
  });

  it("while days pass, unlike a later incident's id on other days", () => {
    const finding = new Finding();
    finding.find([incident(3)]);
    expect(finding.find([incident(3)], { after: 30 })).toBe("a");
    finding.find([], { after: 31 });
    expect(finding.find([incident(-32)], { after: 40 })).toBe("b");
  });

  it("of its first start, as long as it is listed", () => {
    const finding = new Finding();
    finding.find([incident(5, 1)]);
    const moved = incident(4, 1);
    finding.find([moved]);
    for (const after of [100, 300, MAX_EVALUATED_DAYS - 2]) finding.find([], { after });
    expect(finding.find([moved], { after: MAX_EVALUATED_DAYS - 2 })).toBe("a");
  });

  it("of its first start without a document", () => {
    const found = [incident(200, 190)];
    expect(identify(PROJECT, [], found)).toEqual(identify(PROJECT, [], found));
  });
});

test("identify returns different ids for different projects, apps, labels, outcomes and days", () => {
  const others = [
    incident(3),
    incident(3, undefined, { appId: "b" }),
    incident(3, undefined, { label: "" }),
    incident(3, undefined, { label: "b" }),
    incident(3, undefined, { outcome: "pending" }),
    incident(9, 5),
  ];
  const ids = ["1", "2"].flatMap((project) => identify(project, [], others)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2 * others.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
});

test("knownAfter keeps a limited number of incidents, the newest", () => {
  const many = Array.from({ length: MAX_IDENTIFIED_INCIDENTS + 5 }, (_, i) =>
    incident(i % 80, undefined, { appId: `app-${i}` }),
  );
  const { known } = ((finding) => {
    finding.find(many);
    return finding;
  })(new Finding());
  expect(known).toHaveLength(MAX_IDENTIFIED_INCIDENTS);
  expect(known.at(-1)?.startDay).toBeGreaterThanOrEqual(UNTIL - 79);
});

describe("IncidentIds of a project", () => {
  it("returns the same ids in all processes that share its document", async () => {
    const records = new MemoryRecords();
    const [first, second] = [new IncidentIds(records), new IncidentIds(records)];
    const [found] = await first.remember(PROJECT, UNTIL, [incident(3)]);
    const [moved] = await second.of(PROJECT, [incident(5)]);
    expect(moved).toEqual({ ...incident(5), id: found?.id });
    expect(await first.remember(PROJECT, UNTIL, [incident(5)])).toEqual([moved]);
    expect(await second.of(PROJECT, [incident(4)])).toEqual([{ ...incident(4), id: found?.id }]);
  });

  it("writes nothing for a project without incidents", async () => {
    const records = new MemoryRecords();
    expect(await new IncidentIds(records).remember(PROJECT, UNTIL, [])).toEqual([]);
    expect(records.stored.size).toBe(0);
  });
});
