import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byBytes } from "../../model/collections.js";
import { type Day, dayOf, lastListedDay, startOfDay } from "../../model/day.js";
import {
  COUNTS,
  type CountName,
  type EntryColumns,
  type EntryQuery,
} from "../../store/delivery-data-store.js";
import { rowEncoders } from "../delivery-data/encode/row-encoder.js";
import { ENTRY_FORM } from "../delivery-data/encode/row-form.js";
import { matches } from "../delivery-data/filter/entry-filters.js";
import { EmulatedDays, EmulatedLists } from "./emulated-lists.js";
import { type Emulation, NO_EMULATION } from "./emulation.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PROJECT = "123456789012";
/** Noon in Los Angeles. */
const NOW = Date.parse("2026-03-20T19:00:00Z");
const TODAY = dayOf(NOW);

interface Entry {
  readonly day: Day;
  readonly appId: string;
  readonly label: string;
  readonly counts: readonly number[];
}

const inListOrder = (a: Entry, b: Entry): number =>
  b.day - a.day || byBytes(a.appId, b.appId) || byBytes(a.label, b.label);

const columnsOf = (entries: readonly Entry[]): EntryColumns => ({
  length: entries.length,
  days: entries.map(({ day }) => day),
  appIds: entries.map(({ appId }) => appId),
  labels: entries.map(({ label }) => label),
  counts: COUNTS.map((_, column) => Float64Array.from(entries, ({ counts }) => counts[column] ?? 0)),
});

/** A store that returns the entries in batches of two. */
const storeOf = (entries: readonly Entry[]) => ({
  readEntries: async (query: EntryQuery): Promise<EntryColumns[]> => {
    const { appId, until, filter, after, limit } = query;
    const selected = entries
      .filter((entry) => (appId === undefined || entry.appId === appId) && entry.day <= until)
      .filter((entry) => filter === undefined || matches(filter, entry))
      .filter(
        (entry) =>
          after === undefined || inListOrder(entry, { appId: "", ...query, ...after, counts: [] }) > 0,
      )
      .sort(inListOrder)
      .slice(0, limit);
    return Array.from({ length: Math.ceil(selected.length / 2) }, (_, i) =>
      columnsOf(selected.slice(2 * i, 2 * i + 2)),
    );
  },
});

const APPS = ["a", "b", "c"];
const LABELS = ["", "promo", "news"];

/** Every app has an entry with every label on each of the last forty days. */
const messages = (accepted: number): number[] => {
  const counts: Partial<Record<CountName, number>> = {
    count_messages_accepted: accepted,
    count_notifications_accepted: Math.floor(accepted / 2),
    delivered: Math.floor(accepted * 0.7),
    pending: Math.floor(accepted * 0.1),
    dropped_device_inactive: Math.min(1, accepted),
    delivered_no_delay: Math.floor(accepted * 0.5),
    delayed_device_doze: Math.floor(accepted * 0.7) - Math.floor(accepted * 0.5),
    priority_lowered: Math.floor(accepted * 0.03),
    proxied: Math.floor(accepted / 4),
  };
  return COUNTS.map((name) => counts[name] ?? 0);
};
const EVERYTHING: readonly Entry[] = Array.from({ length: 40 }, (_, age) => TODAY - age).flatMap((day) =>
  APPS.flatMap((appId) =>
    LABELS.map((label, i) => ({ day, appId, label, counts: messages(7 ** (i + 1) * (1 + (day % 5))) })),
  ),
);

const listsOf = (habits: Partial<Emulation>, settleDelay = 0): EmulatedLists => {
  const emulation = { ...NO_EMULATION, ...habits };
  return new EmulatedLists(storeOf(EVERYTHING), emulation, new EmulatedDays(emulation, settleDelay));
};

interface Listed {
  readonly appId: string;
  readonly day: Day;
  readonly label: string;
  /** As in the response. */
  readonly text: string;
}

/** Reads all pages, as the list handler does. */
async function list(
  lists: EmulatedLists,
  {
    appId,
    now = NOW,
    pageSize = 10_000,
    settleDelay = 0,
  }: { appId?: string; now?: number; pageSize?: number; settleDelay?: number } = {},
): Promise<Listed[]> {
  const selection = {
    project: PROJECT,
    until: lastListedDay(now, settleDelay),
    ...(appId !== undefined && { appId }),
  };
  const listed: Listed[] = [];
  for (;;) {
    const last = listed.at(-1);
    const after = last && {
      day: last.day,
      label: last.label,
      ...(appId === undefined && { appId: last.appId }),
    };
    const { entries, end } = await lists
      .at(now)
      .readEntries({ ...selection, ...(after !== undefined && { after }), limit: pageSize + 1 });
    const page = entries.flatMap((batch) =>
      Array.from({ length: batch.length }, (_, row) => listedOf(batch, row)),
    );
    listed.push(...page.slice(0, pageSize));
    if (page.length > pageSize) continue;
    // There are too few entries to end a page before it is full.
    expect(end).toBeUndefined();
    return listed;
  }
}

function listedOf(batch: EntryColumns, row: number): Listed {
  const encoder = rowEncoders(ENTRY_FORM)("json");
  encoder.add(batch, row, row + 1);
  const text = encoder.finish().bytes.toString();
  return { appId: batch.appIds[row] ?? "", day: batch.days[row] ?? 0, label: batch.labels[row] ?? "", text };
}

const daysOf = (listed: readonly Listed[]): Day[] => [...new Set(listed.map(({ day }) => day))];
const dataOf = ({ text }: Listed) => JSON.parse(text).androidDeliveryData[0].data;
const nameOf = ({ appId, day, label }: Listed): string => `${appId} ${day} ${label}`;

describe("an emulated list without any effects", () => {
  it("is the same as the normal list, byte for byte", async () => {
    const plain = EVERYTHING.filter(({ day }) => day < TODAY).sort(inListOrder);
    const expected = plain.map((_, row) => listedOf(columnsOf(plain), row));
    expect(await list(listsOf({}))).toEqual(expected);
  });

  it("has the same bytes even if figures are processed without being changed", async () => {
    const plain = await list(listsOf({}));
    // One message is enough for figures: no entry is suppressed, but all are transformed.
    expect(await list(listsOf({ minMessages: 1 }))).toEqual(plain);
  });
});

describe("an emulated window and delay", () => {
  it("list the same days as the example in FCM's documentation: on the 20th, the days from the 9th to the 15th", async () => {
    const lists = listsOf({ window: 7 * DAY, delay: { min: 4 * DAY, max: 4 * DAY } });
    expect(daysOf(await list(lists)).map((day) => day - TODAY)).toEqual([-5, -6, -7, -8, -9, -10, -11]);
  });

  it("list a day after its delay, until the window after the maximum delay has passed", async () => {
    const habits = fc.record({
      seed: fc.string(),
      window: fc.constantFrom(undefined, HOUR, DAY, 7 * DAY, 50 * DAY),
      delay: fc
        .tuple(fc.nat(5 * DAY), fc.nat(5 * DAY))
        .map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) })),
    });
    await fc.assert(
      fc.asyncProperty(habits, fc.nat(2 * DAY), fc.nat(10 * DAY), async (habit, settleDelay, ago) => {
        const now = NOW - ago;
        const minute = now - (now % 60_000);
        const listed = await list(listsOf(habit, settleDelay), { now, settleDelay });
        const names = new Set(listed.map(nameOf));
        for (const entry of EVERYTHING) {
          const first = startOfDay(entry.day + 1) + settleDelay;
          const latest = first + habit.delay.max;
          const name = nameOf({ ...entry, text: "" });
          const isForgotten = habit.window !== undefined && minute >= latest + habit.window;
          if (minute < first + habit.delay.min || isForgotten) expect(names).not.toContain(name);
          else if (minute >= latest) expect(names).toContain(name);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("differ between apps and days, within their limits", async () => {
    const lists = listsOf({ delay: { min: 0, max: 5 * DAY } });
    const newest = await Promise.all(APPS.map(async (appId) => daysOf(await list(lists, { appId })).join()));
    expect(new Set(newest).size).toBeGreaterThan(1);
  });

  it("make days appear one by one, and make no day disappear before the window has passed", async () => {
    const lists = listsOf({ delay: { min: 0, max: 5 * DAY }, window: 7 * DAY });
    let before = await list(lists, { appId: "a", now: NOW - 10 * DAY });
    const changes = { appeared: 0, disappeared: 0 };
    for (let hours = 1; hours <= 240; hours++) {
      const now = NOW - 10 * DAY + hours * HOUR;
      const after = await list(lists, { appId: "a", now });
      const [old, kept] = [before, after].map((entries) => new Set(entries.map(nameOf)));
      const appeared = new Set(after.filter((entry) => !old?.has(nameOf(entry))).map(({ day }) => day));
      expect(appeared.size).toBeLessThanOrEqual(1);
      const gone = before.filter((entry) => !kept?.has(nameOf(entry)));
      for (const { day } of gone) expect(now - startOfDay(day + 1)).toBeGreaterThanOrEqual(12 * DAY);
      changes.appeared += appeared.size;
      changes.disappeared += new Set(gone.map(({ day }) => day)).size;
      before = after;
    }
    expect(changes.appeared).toBeGreaterThan(5);
    expect(changes.disappeared).toBeGreaterThan(5);
  });
});

describe("emulated missing days", () => {
  it("never appear as long as the seed is the same", async () => {
    const lists = listsOf({ missingDays: 0.3 });
    const days = daysOf(await list(lists, { appId: "a" }));
    expect(days.length).toBeGreaterThan(10);
    expect(days.length).toBeLessThan(39);
    const later = new Set(daysOf(await list(lists, { appId: "a", now: NOW + 30 * DAY })));
    expect(days.filter((day) => !later.has(day))).toEqual([]);
    expect([...later].filter((day) => day < TODAY && !days.includes(day))).toEqual([]);
  });

  it("include all days with the share 1, and no days with the share 0", async () => {
    expect(await list(listsOf({ missingDays: 1 }))).toEqual([]);
    expect(daysOf(await list(listsOf({ missingDays: 0 })))).toHaveLength(39);
  });
});

const anyHabits = fc.record({
  seed: fc.string(),
  window: fc.constantFrom(undefined, 3 * DAY, 7 * DAY),
  delay: fc.nat(5 * DAY).map((max) => ({ min: 0, max })),
  missingDays: fc.constantFrom(0, 0.3),
  rounding: fc.constantFrom(undefined, 0, 1, 4),
  minMessages: fc.constantFrom(0, 10, 100),
  minCount: fc.constantFrom(0, 5),
  sampling: fc.constantFrom(1, 0.5, 0.01),
});

it("an emulated list with the same seed has the same entries, for any page size, and for one app or all apps", async () => {
  await fc.assert(
    fc.asyncProperty(anyHabits, fc.integer({ min: 1, max: 20 }), async (habits, pageSize) => {
      const all = await list(listsOf(habits));
      expect(await list(listsOf(habits), { pageSize })).toEqual(all);
      const appId = "b";
      const ofApp = all.filter((entry) => entry.appId === appId);
      expect(await list(listsOf(habits), { appId, pageSize })).toEqual(ofApp);
    }),
    { numRuns: 30 },
  );
});

it("an emulated page needs few reads even if many entries are not listed, and the next page continues after them", async () => {
  const labels = Array.from({ length: 20_000 }, (_, i) => String(i).padStart(5, "0"));
  let reads = 0;
  const store = {
    readEntries: async ({ after, limit }: EntryQuery) => {
      reads += 1;
      const from = after === undefined ? 0 : Number(after.label) + 1;
      const read = labels.slice(from, from + limit);
      return [columnsOf(read.map((label) => ({ day: TODAY - 1, appId: "a", label, counts: [] })))];
    },
  };
  const emulation = { ...NO_EMULATION, missingDays: 1 };
  const view = new EmulatedLists(store, emulation, new EmulatedDays(emulation, 0)).at(NOW);
  const query = { project: PROJECT, appId: "a", until: TODAY - 1, limit: 2 };
  const { entries, end } = await view.readEntries(query);
  expect(entries.filter(({ length }) => length > 0)).toEqual([]);
  expect(reads).toBeLessThanOrEqual(16);
  expect(end).toBeDefined();
  const rest = await view.readEntries({ ...query, ...(end && { after: end }) });
  expect(rest.entries.filter(({ length }) => length > 0)).toEqual([]);
  expect(rest.end).toBeUndefined();
});

it("an emulated list with another seed has other days and other figures", async () => {
  const habits = { delay: { min: 0, max: 5 * DAY }, missingDays: 0.3, sampling: 0.5 };
  const [one, other] = await Promise.all(["1", "2"].map((seed) => list(listsOf({ ...habits, seed }))));
  expect(daysOf(one ?? [])).not.toEqual(daysOf(other ?? []));
  const figures = new Map(one?.map((entry) => [nameOf(entry), entry.text]));
  const both = other?.filter((entry) => figures.has(nameOf(entry))) ?? [];
  expect(both.some((entry) => figures.get(nameOf(entry)) !== entry.text)).toBe(true);
});

describe("emulated figures", () => {
  /** Fields of data, such as `messageOutcomePercents.delivered`. */
  const fieldsOf = (data: object): string[] =>
    Object.entries(data).flatMap(([name, value]) =>
      typeof value === "object" ? [name, ...fieldsOf(value).map((inner) => `${name}.${inner}`)] : [name],
    );

  it.each([0, 1, 3])("are rounded to %i decimals", async (rounding) => {
    const [plain, rounded] = [await list(listsOf({})), await list(listsOf({ rounding }))];
    expect(rounded.map((entry) => fieldsOf(dataOf(entry)))).toEqual(
      plain.map((entry) => fieldsOf(dataOf(entry))),
    );
    for (const [i, entry] of rounded.entries()) {
      const before = plain[i];
      for (const [name, value] of Object.entries(dataOf(entry))) {
        if (typeof value !== "object") continue;
        for (const [field, percent] of Object.entries(value as Record<string, number>)) {
          expect(Number(percent.toFixed(rounding))).toBe(percent);
          expect(percent).toBeGreaterThan(0);
          const exact = before && dataOf(before)[name][field];
          expect(Math.abs(percent - exact)).toBeLessThan(10 ** -rounding);
        }
      }
    }
  });

  it("are omitted if an entry has too few messages, but the entry is still listed", async () => {
    const [plain, listed] = [await list(listsOf({})), await list(listsOf({ minMessages: 50 }))];
    expect(listed.map(nameOf)).toEqual(plain.map(nameOf));
    expect(
      listed.map((entry) => (Number(dataOf(entry).countMessagesAccepted ?? 0) >= 50 ? entry.text : "few")),
    ).toEqual(plain.map((entry) => (Number(dataOf(entry).countMessagesAccepted) >= 50 ? entry.text : "few")));
    const few = listed.filter((entry) => dataOf(entry).countMessagesAccepted === undefined);
    expect(few.length).toBeGreaterThan(0);
    for (const entry of few) expect(dataOf(entry)).toEqual({});
  });

  it("are omitted if they count too few messages, and so are groups that become empty", async () => {
    const minCount = 70;
    const [plain, listed] = [await list(listsOf({})), await list(listsOf({ minCount }))];
    expect(listed.map(nameOf)).toEqual(plain.map(nameOf));
    for (const [i, entry] of listed.entries()) {
      const all = dataOf(plain[i] ?? entry);
      const expected: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(all)) {
        if (typeof value !== "object") {
          if (Number(value) >= minCount) expected[name] = value;
          continue;
        }
        const whole = Number(
          name.startsWith("proxy") ? all.countNotificationsAccepted : all.countMessagesAccepted,
        );
        const group = Object.entries(value as Record<string, number>).filter(
          ([, percent]) => Math.round((percent * whole) / 100) >= minCount,
        );
        if (group.length > 0) expected[name] = Object.fromEntries(group);
      }
      expect(dataOf(entry)).toEqual(expected);
    }
    expect(
      listed.filter((entry) => Object.keys(dataOf(entry)).join() === "countMessagesAccepted"),
    ).not.toEqual([]);
  });

  it("estimate the figures of all messages from a sample, with the same relations between figures", async () => {
    const [plain, sampled] = [await list(listsOf({})), await list(listsOf({ sampling: 0.25 }))];
    expect(sampled.map(nameOf)).toEqual(plain.map(nameOf));
    const sum = (listed: readonly Listed[]): number =>
      listed.reduce((total, entry) => total + Number(dataOf(entry).countMessagesAccepted ?? 0), 0);
    // About 90,000 messages. A sample of 25 % estimates the totals to about 1 %.
    expect(sum(sampled) / sum(plain)).toBeCloseTo(1, 1);
    const total = (group: Record<string, number> = {}): number =>
      Object.values(group).reduce((all, percent) => all + percent, 0);
    for (const entry of sampled) {
      const { messageOutcomePercents: outcomes = {}, deliveryPerformancePercents: delays = {} } =
        dataOf(entry);
      expect(Number(dataOf(entry).countMessagesAccepted ?? 0) % 4).toBe(0);
      expect(total(outcomes)).toBeLessThanOrEqual(100 + 1e-9);
      expect((delays.deliveredNoDelay ?? 0) + (delays.delayedDeviceDoze ?? 0)).toBeCloseTo(
        outcomes.delivered ?? 0,
      );
    }
  });
});
