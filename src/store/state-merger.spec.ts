import fc from "fast-check";
import { expect, it } from "vitest";
import type { Day } from "../model/day.js";
import { NameList, numbered, type StateColumns } from "./state-block.js";
import { StateMerger } from "./state-merger.js";
import type { NaiveEvent } from "./testing/naive-rollup.js";
import { mergedStates, type PartialState, statesOf } from "./testing/partial-state.js";
import { accepted, blocksOf, history } from "./testing/test-events.js";

/** Returns a separate state for each event. */
const eachAlone = (events: readonly NaiveEvent[]): readonly PartialState[] =>
  events.flatMap((event) => blocksOf([event]).flatMap(statesOf));

const allDays = { has: () => true } as unknown as ReadonlySet<Day>;

/** Adds states to a merger, with common numbers of names. Returns the merged states. */
function merged(parts: readonly StateColumns[], merger: StateMerger): StateColumns {
  const [apps, labels] = [new NameList(), new NameList([""])];
  for (const states of parts) merger.addStates(numbered(states, apps, labels), 0, states.length, allDays);
  return { ...merger.take(), apps: apps.names, labels: labels.names };
}

/** Events of a single message, or of several. */
const events = fc.oneof(
  history,
  history.map((events) => events.map((event) => ({ ...event, appId: "app", messageId: "a" }))),
);

it("yields the same merged states as one state per event", () => {
  fc.assert(
    fc.property(events, (sent) => {
      expect(mergedStates(blocksOf(sent).flatMap(statesOf))).toEqual(mergedStates(eachAlone(sent)));
    }),
  );
});

it("yields the same merged states for several blocks as for one", () => {
  fc.assert(
    fc.property(events, events, (some, others) => {
      const parts = [...blocksOf(some), ...blocksOf(others)];
      const states = merged(parts, new StateMerger(parts.reduce((sum, { length }) => sum + length, 0)));
      expect(mergedStates(statesOf(states))).toEqual(mergedStates(eachAlone([...some, ...others])));
    }),
  );
});

it("is empty after its states were returned", () => {
  const [first, second] = [blocksOf([accepted({})]), blocksOf([accepted({ eventType: "DELIVERED" })])];
  const merger = new StateMerger(10);
  const take = (parts: readonly StateColumns[]): readonly PartialState[] => statesOf(merged(parts, merger));
  expect([take(first), take(second)]).toEqual([first.flatMap(statesOf), second.flatMap(statesOf)]);
});
