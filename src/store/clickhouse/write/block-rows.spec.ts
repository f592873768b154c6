import fc from "fast-check";
import { expect, it } from "vitest";
import { MessageEvent_EventType as EventType } from "../../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { NONE, type StateBlock } from "../../state-block.js";
import type { NaiveEvent } from "../../testing/naive-rollup.js";
import { mergedStates, type PartialState } from "../../testing/partial-state.js";
import { accepted, blocksOf, history, PROJECT } from "../../testing/test-events.js";
import { BlockRows } from "./block-rows.js";

const daysOf = (blocks: readonly StateBlock[]): Set<number> =>
  new Set(blocks.flatMap(({ days }) => [...days.keys()]));

/** All tests use the same memory. */
const shared = new BlockRows();

const rowsOf = async (
  blocks: readonly StateBlock[],
  days = daysOf(blocks),
): Promise<readonly PartialState[]> => {
  shared.reuse();
  await shared.add(PROJECT, blocks, days);
  return read(shared.bytes);
};

function read(bytes: Buffer): readonly PartialState[] {
  const rows: PartialState[] = [];
  let at = 0;
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const takeText = (length: number): string | undefined =>
    length < 0 ? undefined : take(length).toString("hex");
  const takeLeast = (): number => (take(1)[0] === 1 ? take(4).readUInt32LE() : NONE);
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

const eachAlone = (events: readonly NaiveEvent[]): StateBlock[] =>
  events.flatMap((event) => blocksOf([event]).filter(({ length }) => length > 0));

it("yields the same merged states as one row per event", () =>
  fc.assert(
    fc.asyncProperty(history, async (events) => {
      const alone: PartialState[] = [];
      for (const block of eachAlone(events)) alone.push(...(await rowsOf([block])));
      const blocks = blocksOf(events);
      fc.pre(blocks.some(({ length }) => length > 0));
      expect(mergedStates(await rowsOf(blocks))).toEqual(mergedStates(alone));
    }),
  ));

const DELIVERED = { eventType: "DELIVERED", eventTime: "2026-03-05T12:00:01Z" };
const NEXT_DAY = "2026-03-06T12:00:00Z";

it.each<[what: string, rows: number, events: readonly NaiveEvent[]]>([
  [
    "events of the same message",
    1,
    [accepted({}), accepted(DELIVERED), accepted({ ...DELIVERED, eventType: "STORED" })],
  ],
  ["a repeated event", 1, [accepted(DELIVERED), accepted(DELIVERED)]],
  ["events before the ACCEPTED", 1, [accepted(DELIVERED), accepted({})]],
  ["events of another day", 2, [accepted({}), accepted({ ...DELIVERED, eventTime: NEXT_DAY })]],
  ["events of another app", 2, [accepted({}), accepted({ ...DELIVERED, appId: "app-2" })]],
  [
    "a second ACCEPTED event, so that the engine selects the lesser",
    2,
    [accepted({}), accepted({ analyticsLabel: "a" })],
  ],
])("writes one row per message, day and ACCEPTED event: %s", async (_, rows, events) => {
  expect(await rowsOf(blocksOf(events))).toHaveLength(rows);
});

it("writes all states even if there are more messages than fit into one merge", async () => {
  const messages = 140_000;
  const [day] = daysOf(blocksOf([accepted({})]));
  const blockOf = (type: EventType, keyLow: Uint32Array): StateBlock => ({
    length: messages,
    apps: ["app"],
    labels: [""],
    days: new Map([[day ?? 0, messages]]),
    app: new Int32Array(messages),
    day: new Int32Array(messages).fill(day ?? 0),
    keyHigh: new Uint32Array(2 * messages),
    keyLow,
    acceptedAt: new Uint32Array(messages).fill(NONE),
    label: new Int32Array(messages),
    notification: new Uint8Array(messages),
    outcome: new Uint32Array(messages).fill(NONE),
    proxy: new Uint32Array(messages).fill(NONE),
    seen: new Uint32Array(messages).fill(1 << type),
  });
  const keys = Uint32Array.from({ length: 2 * messages }, (_, word) => word >> 1);
  const blocks = [blockOf(EventType.STORED, keys), blockOf(EventType.PRIORITY_LOWERED, keys.toReversed())];
  const rows = await rowsOf(blocks);
  expect(rows.length).toBeLessThan(2 * messages);
  const seen = [...mergedStates(rows).values()].map((row) => row.seen);
  expect(seen).toHaveLength(messages);
  expect(new Set(seen)).toEqual(new Set([(1 << EventType.STORED) | (1 << EventType.PRIORITY_LOWERED)]));
});

it("starts again after rows that were not added completely", async () => {
  const blocks = blocksOf([accepted({}), accepted({ messageId: "n" })]);
  const broken = {
    ...blocks[0],
    get keyLow(): never {
      throw new Error("broken");
    },
  } as unknown as StateBlock;
  await expect(shared.add(PROJECT, [...blocks, broken], daysOf(blocks))).rejects.toThrow("broken");
  shared.discard();
  expect(await rowsOf(blocks)).toHaveLength(2);
});

it("omits other days", async () => {
  const blocks = blocksOf([accepted({}), accepted({ messageId: "n", eventTime: NEXT_DAY })]);
  const [first, ...others] = daysOf(blocks);
  expect(others).toHaveLength(1);
  expect(await rowsOf(blocks, new Set([first ?? 0]))).toEqual((await rowsOf(blocks)).slice(0, 1));
});
