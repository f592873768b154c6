import fc from "fast-check";
import { expect, it } from "vitest";
import { MessageEvent_EventType as EventType } from "../../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import type { NaiveEvent } from "../../../messaging-data/rollup/testing/naive-rollup.js";
import type { EventBlock } from "../../event-block.js";
import { accepted, blocksOf, history, PROJECT } from "../../testing/test-events.js";
import { eventRows } from "./event-rows.js";

/** A row of `message_states`. */
interface Row {
  /** Project, day, app and key. */
  readonly message: string;
  /** In hexadecimal digits, whose order is that of the bytes; missing without an ACCEPTED. */
  readonly accepted: string | undefined;
  readonly outcome: number | undefined;
  readonly proxy: number | undefined;
  readonly seen: number;
}

const daysOf = (blocks: readonly EventBlock[]): Set<number> => new Set(blocks.flatMap(({ days }) => days));

const rowsOf = async (blocks: readonly EventBlock[], days = daysOf(blocks)): Promise<readonly Row[]> =>
  read(Buffer.concat(await eventRows(PROJECT, blocks, days)));

function read(bytes: Buffer): readonly Row[] {
  const rows: Row[] = [];
  let at = 0;
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const takeText = (length: number): string | undefined =>
    length < 0 ? undefined : take(length).toString("hex");
  const takeLeast = (): number | undefined => (take(1)[0] === 1 ? take(4).readUInt32LE() : undefined);
  while (at < bytes.length) {
    const [projectAndDay, lengthOfApp] = [take(12).toString("hex"), take(1)];
    rows.push({
      message: [projectAndDay, take(lengthOfApp[0] ?? 0), take(16).toString("hex")].join(" "),
      accepted: takeText(take(4).readInt32LE()),
      outcome: takeLeast(),
      proxy: takeLeast(),
      seen: take(4).readUInt32LE(),
    });
  }
  return rows;
}

/** Merges the rows of each message, as the engine does. */
function merged(rows: readonly Row[]): ReadonlyMap<string, Row> {
  const least = <Value extends string | number>(a: Value | undefined, b: Value | undefined) =>
    a === undefined || (b !== undefined && b < a) ? b : a;
  const messages = new Map<string, Row>();
  for (const row of rows) {
    const other = messages.get(row.message) ?? row;
    messages.set(row.message, {
      message: row.message,
      accepted: least(row.accepted, other.accepted),
      outcome: least(row.outcome, other.outcome),
      proxy: least(row.proxy, other.proxy),
      seen: row.seen | other.seen,
    });
  }
  return messages;
}

const eachAlone = (events: readonly NaiveEvent[]): EventBlock[] =>
  events.flatMap((event) => blocksOf([event]).filter(({ length }) => length > 0));

it("has the same states for the engine to merge as a row for each event", () =>
  fc.assert(
    fc.asyncProperty(history, async (events) => {
      const alone = await Promise.all(eachAlone(events).map((block) => rowsOf([block])));
      const blocks = blocksOf(events);
      fc.pre(blocks.some(({ length }) => length > 0));
      expect(merged(await rowsOf(blocks))).toEqual(merged(alone.flat()));
    }),
  ));

const DELIVERED = { eventType: "DELIVERED", eventTime: "2026-03-05T12:00:01Z" };
const NEXT_DAY = "2026-03-06T12:00:00Z";

it.each<[what: string, rows: number, events: readonly NaiveEvent[]]>([
  [
    "the events of a message",
    1,
    [accepted({}), accepted(DELIVERED), accepted({ ...DELIVERED, eventType: "STORED" })],
  ],
  ["an event that comes again", 1, [accepted(DELIVERED), accepted(DELIVERED)]],
  ["events before the ACCEPTED", 1, [accepted(DELIVERED), accepted({})]],
  ["events of another day", 2, [accepted({}), accepted({ ...DELIVERED, eventTime: NEXT_DAY })]],
  ["events of another app", 2, [accepted({}), accepted({ ...DELIVERED, appId: "app-2" })]],
  [
    "a second ACCEPTED, of which the engine takes the lesser",
    2,
    [accepted({}), accepted({ analyticsLabel: "a" })],
  ],
])("has a row for each message, day and ACCEPTED: %s", async (_, rows, events) => {
  expect(await rowsOf(blocksOf(events))).toHaveLength(rows);
});

it("has all events of more messages than are merged at a time", async () => {
  const messages = 140_000;
  const first = blocksOf([accepted({})])[0] as EventBlock;
  const blockOf = (type: EventType, keyLow: BigUint64Array): EventBlock => ({
    ...first,
    length: messages,
    app: new Int32Array(messages),
    day: new Int32Array(messages).fill(first.days[0] ?? 0),
    millisecond: new Uint32Array(messages),
    keyHigh: new BigUint64Array(messages),
    keyLow,
    type: new Uint8Array(messages).fill(type),
    label: new Int32Array(messages),
    notification: new Uint8Array(messages),
  });
  const keys = BigUint64Array.from({ length: messages }, (_, message) => BigInt(message));
  const blocks = [blockOf(EventType.ACCEPTED, keys), blockOf(EventType.DELIVERED, keys.toReversed())];
  const rows = await rowsOf(blocks);
  const seen = [...merged(rows).values()].map((row) => row.seen);
  expect(seen).toHaveLength(messages);
  expect(new Set(seen)).toEqual(new Set([(1 << EventType.ACCEPTED) | (1 << EventType.DELIVERED)]));
});

it("leaves out other days", async () => {
  const blocks = blocksOf([accepted({}), accepted({ messageId: "n", eventTime: NEXT_DAY })]);
  const [first, ...others] = daysOf(blocks);
  expect(others).toHaveLength(1);
  expect(await rowsOf(blocks, new Set([first ?? 0]))).toEqual((await rowsOf(blocks)).slice(0, 1));
});
