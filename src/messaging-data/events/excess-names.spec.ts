import fc from "fast-check";
import { expect, it } from "vitest";
import { eventsByDay, namesOf } from "../../store/state-block.js";
import { mergedStates, statesOf } from "../../store/testing/partial-state.js";
import { history } from "../../store/testing/test-events.js";
import { blocksWithout } from "./excess-names.js";
import { parseSegment } from "./parse-segment.js";
import { ALL_DAYS } from "./testing/all-days.js";

const parse = (events: readonly object[]) =>
  parseSegment([Buffer.from(events.map((event) => JSON.stringify(event)).join("\n"))], 8192, ALL_DAYS);

const someOf = (...names: string[]) => fc.subarray(names).map((chosen) => new Set(chosen));

it("blocksWithout returns the same events as an import without lines with excess apps or labels", () => {
  fc.assert(
    fc.property(history, someOf("app", "app-2"), someOf("a", "b", "B"), (sent, apps, labels) => {
      const part = parse(sent);
      const left = blocksWithout({ apps, labels }, { ...part, parts: [part], days: part.block.days.size });
      const others = [
        parse(
          sent.filter(
            ({ appId, eventType, analyticsLabel = "" }) =>
              !apps.has(appId) && !(eventType === "ACCEPTED" && labels.has(analyticsLabel)),
          ),
        ).block,
      ];
      expect(mergedStates(left.flatMap(statesOf))).toEqual(mergedStates(others.flatMap(statesOf)));
      expect(eventsByDay(left)).toEqual(eventsByDay(others));
      const [names, expected] = [namesOf(left), namesOf(others)];
      expect(names.apps.toSorted()).toEqual(expected.apps.toSorted());
      expect(names.labels.toSorted()).toEqual(expected.labels.toSorted());
    }),
  );
});
