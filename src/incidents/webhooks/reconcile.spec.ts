import { describe, expect, it, test } from "vitest";
import { MAX_NOTIFIED_INCIDENTS } from "../../limits/data-limits.js";
import type { AppIncident } from "../list/app-incident.js";
import { identify, type KnownIncident, knownAfter } from "../list/incident-ids.js";
import { appIncident, type ShareIncident } from "../testing/app-incident.js";
import { isDue, messageIdOf, type NotifiedIncidents } from "./notified-incident.js";
import { reconcile } from "./reconcile.js";

const UNTIL = 20_000;

/** An incident between two days, each as a number of days before {@link UNTIL}. */
const incident = (start: number, end?: number, of: Partial<ShareIncident> = {}): AppIncident =>
  appIncident({
    label: "news",
    startDay: UNTIL - start,
    ...(end !== undefined && { endDay: UNTIL - end }),
    ...of,
  });

/** Evaluates repeatedly, delivers everything after each evaluation, and lists the messages: `a started 1`. */
class Telling {
  readonly delivered: string[] = [];
  known: NotifiedIncidents | undefined;
  #ids: readonly KnownIncident[] = [];
  #keys = 0;

  evaluate(found: readonly AppIncident[], { after = 0, tell = true } = {}): this {
    const newKey = () => String.fromCharCode("a".charCodeAt(0) + this.#keys++);
    const until = UNTIL + after;
    const incidents = identify("1", this.#ids, found);
    this.#ids = knownAfter("1", this.#ids, incidents, until);
    const evaluation = { until, incidents, now: 1_000 + after, newKey };
    this.known = reconcile(this.known, evaluation);
    expect(reconcile(this.known, evaluation)).toEqual(this.known);
    if (!tell) return this;
    const tellIt = (row: NotifiedIncidents["incidents"][number]) => {
      if (!isDue(row)) return row;
      expect(row.since).toBeLessThanOrEqual(evaluation.now);
      this.delivered.push(`${messageIdOf(row)} ${row.state}`);
      return { ...row, delivered: row.state };
    };
    this.known = { ...this.known, incidents: this.known.incidents.map(tellIt) };
    return this;
  }
}

const first = () => new Telling();
/** Returns a webhook that has seen a project without incidents. */
const later = () => new Telling().evaluate([]);

describe("reconcile at first sends", () => {
  test.each([
    ["that a recent incident started", incident(6), ["a-1 started"]],
    ["that an incident ended recently", incident(40, 6), ["a-1 ended"]],
    ["nothing about an incident that began long ago", incident(7), []],
    ["nothing about an incident that ended long ago", incident(40, 7), []],
  ])("%s", (_, found, delivered) => {
    expect(first().evaluate([found]).delivered).toEqual(delivered);
  });

  it("that an incident ended that had begun long before", () => {
    expect(
      first()
        .evaluate([incident(40)])
        .evaluate([incident(40, 0)], { after: 2 }).delivered,
    ).toEqual(["a-2 ended"]);
  });
});

describe("reconcile sends once", () => {
  test.each([
    [
      "an incident, and once its end",
      [[incident(3)], [incident(3)], [incident(3, 1)]],
      ["a-1 started", "a-2 ended"],
    ],
    ["an incident that was detected late", [[incident(20)], [incident(20)]], ["a-1 started"]],
    ["an incident that had ended before its detection", [[incident(3, 2)], [incident(3, 2)]], ["a-1 ended"]],
    ["an incident with a moving first day", [[incident(3)], [incident(5)], [incident(2)]], ["a-1 started"]],
    ["an end that moves", [[incident(5, 3)], [incident(5, 2)], [incident(5, 4)]], ["a-1 ended"]],
    [
      "an end that moves out of the recent days",
      [[incident(15, 6)], [incident(15, 8)], [incident(15, 6)]],
      ["a-1 ended"],
    ],
    [
      "an end that was long before its detection",
      [[incident(30)], [incident(30, 15)], [incident(30, 15)]],
      ["a-1 started", "a-2 ended"],
    ],
    [
      "a withdrawal after late events have removed an incident",
      [[incident(3)], [], []],
      ["a-1 started", "a-2 withdrawn"],
    ],
    [
      "a start after an ended incident has continued",
      [[incident(5, 3)], [incident(5)]],
      ["a-1 ended", "a-2 started"],
    ],
    [
      "an incident that is detected again",
      [[incident(3)], [], [incident(3)]],
      ["a-1 started", "a-2 withdrawn", "a-3 started"],
    ],
    [
      "another incident on other days",
      [[incident(9, 5)], [incident(9, 5), incident(2)]],
      ["a-1 ended", "b-1 started"],
    ],
    [
      "one part of an incident that late events have split",
      [[incident(9)], [incident(9, 6), incident(3)]],
      ["a-1 started", "a-2 ended", "b-1 started"],
    ],
    [
      "two incidents that late events have joined",
      [[incident(9, 6), incident(3)], [incident(9)]],
      ["a-1 started", "b-1 ended", "b-2 withdrawn"],
    ],
    [
      "each app, label and outcome",
      [
        [
          incident(1),
          incident(1, undefined, { appId: "b" }),
          incident(1, undefined, { label: "b" }),
          incident(1, undefined, { label: undefined }),
          incident(1, undefined, { outcome: "pending" }),
        ],
      ],
      ["a-1 started", "b-1 started", "c-1 started", "d-1 started", "e-1 started"],
    ],
  ] as const)("%s", (_, evaluations, delivered) => {
    const telling = later();
    for (const found of evaluations) telling.evaluate(found);
    expect(telling.delivered).toEqual(delivered);
  });
});

describe("reconcile with an unsent state", () => {
  it("replaces the state with the next one", () => {
    expect(
      later()
        .evaluate([incident(3)], { tell: false })
        .evaluate([incident(3, 1)]).delivered,
    ).toEqual(["a-2 ended"]);
  });

  it("drops the state with its incident", () => {
    const telling = later()
      .evaluate([incident(3)], { tell: false })
      .evaluate([]);
    expect([telling.delivered, telling.known?.incidents]).toEqual([[], []]);
  });

  it("withdraws the state if the receiver can know it", () => {
    const telling = later().evaluate([incident(3)], { tell: false });
    const { until = 0, incidents = [] } = telling.known ?? {};
    telling.known = { until, incidents: incidents.map((row) => ({ ...row, isUncertain: true })) };
    expect(telling.evaluate([]).delivered).toEqual(["a-2 withdrawn"]);
  });

  it("does not withdraw the state if it was old when it was detected", () => {
    expect(
      first()
        .evaluate([incident(40)])
        .evaluate([]).delivered,
    ).toEqual([]);
  });

  it("sends nothing if the incident returns to the last sent state", () => {
    const telling = later().evaluate([incident(3)]);
    telling.evaluate([incident(3, 1)], { tell: false }).evaluate([incident(3)]);
    expect(telling.delivered).toEqual(["a-1 started"]);
  });
});

describe("reconcile", () => {
  it("drops an incident two weeks after its end", () => {
    const telling = later().evaluate([incident(3, 1)]);
    expect(telling.evaluate([incident(3, 1)], { after: 12 }).known?.incidents).toHaveLength(1);
    expect(telling.evaluate([incident(3, 1)], { after: 13 }).known?.incidents).toEqual([]);
    expect(telling.evaluate([incident(3, 1)], { after: 14 }).delivered).toEqual(["a-1 ended"]);
  });

  it("drops an incident without a message if there was no evaluation for months", () => {
    expect(
      later()
        .evaluate([incident(3)])
        .evaluate([], { after: 87 }).delivered,
    ).toEqual(["a-1 started"]);
  });

  it("ignores an evaluation of the day before, from a process with a slow clock", () => {
    const telling = later().evaluate([incident(0)], { after: 1 });
    expect(telling.evaluate([], { after: 0 }).known?.until).toBe(UNTIL + 1);
    expect(telling.delivered).toEqual(["a-1 started"]);
  });

  it("accepts evaluations of earlier days after a clock was corrected", () => {
    const telling = later().evaluate([], { after: 400 });
    expect(telling.evaluate([incident(3)]).delivered).toEqual(["a-1 started"]);
  });

  it("keeps a limited number of incidents, and sends the newest first", () => {
    const of = (count: number) =>
      Array.from({ length: count }, (_, i) => incident(i, undefined, { appId: `app-${i}` }));
    const telling = new Telling();
    telling.known = { until: UNTIL, incidents: [] };
    telling.evaluate(of(MAX_NOTIFIED_INCIDENTS + 2));
    expect(telling.known.incidents.map(({ incident: { appId } }) => appId)).toEqual(
      of(MAX_NOTIFIED_INCIDENTS).map(({ appId }) => appId),
    );
  });
});
