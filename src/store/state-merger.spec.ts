import fc from "fast-check";
import { expect, it } from "vitest";
import type { Day } from "../model/day.js";
import type { StateColumns } from "./state-block.js";
import { StateMerger } from "./state-merger.js";
import type { NaiveEvent } from "./testing/naive-rollup.js";
import { mergedStates, type PartialState, statesOf } from "./testing/partial-state.js";
import { accepted, blocksOf, history } from "./testing/test-events.js";

/** The states of each event alone. */
const eachAlone = (events: readonly NaiveEvent[]): readonly PartialState[] =>
  events.flatMap((event) => blocksOf([event]).flatMap(statesOf));

const allDays = { has: () => true } as unknown as ReadonlySet<Day>;

function mergedTogether(parts: readonly StateColumns[]): StateColumns {
  const merger = new StateMerger(parts.reduce((sum, { length }) => sum + length, 0));
  for (const part of parts) merger.addStates(part, 0, part.length, allDays);
  return merger.take();
}

/** Events of some messages, or of a single one. */
const events = fc.oneof(
  history,
  history.map((events) => events.map((event) => ({ ...event, appId: "app", messageId: "a" }))),
);

it("leaves the same for an engine to merge as a state for each event", () => {
  fc.assert(
    fc.property(events, (sent) => {
      expect(mergedStates(blocksOf(sent).flatMap(statesOf))).toEqual(mergedStates(eachAlone(sent)));
    }),
  );
});

it("leaves the same once the states of several blocks are merged", () => {
  fc.assert(
    fc.property(events, events, (some, others) => {
      const states = mergedTogether([...blocksOf(some), ...blocksOf(others)]);
      expect(mergedStates(statesOf(states))).toEqual(mergedStates(eachAlone([...some, ...others])));
    }),
  );
});

it("starts anew after its states were taken", () => {
  const [first, second] = [blocksOf([accepted({})]), blocksOf([accepted({ eventType: "DELIVERED" })])];
  const merger = new StateMerger(10);
  const take = (parts: readonly StateColumns[]): readonly PartialState[] => {
    for (const part of parts) merger.addStates(part, 0, part.length, allDays);
    return statesOf(merger.take());
  };
  expect([take(first), take(second)]).toEqual([first.flatMap(statesOf), second.flatMap(statesOf)]);
});
