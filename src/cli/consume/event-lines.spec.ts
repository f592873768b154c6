import fc from "fast-check";
import { expect, it } from "vitest";
import type { Delivery } from "./broker.js";
import { EventLines, isBlank } from "./event-lines.js";
import { delivery } from "./testing/delivery.js";

const streamOf = (deliveries: readonly Delivery[]): string =>
  Buffer.concat([...new EventLines(deliveries).chunks()]).toString();

it("EventLines finds the message of each line in the stream", () =>
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.constantFrom("a", "b", ""), { minLength: 1, maxLength: 4 }), { minLength: 1 }),
      (messages) => {
        const deliveries = messages.map((lines) => delivery(lines.join("\n")));
        const lines = streamOf(deliveries).split("\n").slice(0, -1);
        expect(lines).toEqual(messages.flat());
        const eventLines = new EventLines(deliveries);
        const owners = messages.flatMap((own, index) => own.map((_, line) => ({ index, line: line + 1 })));
        for (const [at, { index, line }] of owners.entries()) {
          const [found] = eventLines.invalid([{ line: at + 1, field: "appId", description: "is wrong" }]);
          expect(found?.delivery).toBe(deliveries[index]);
          if (found?.reason.startsWith("line")) expect(found.reason).toBe(`line ${line}: appId is wrong`);
          else expect(messages[index]?.slice(1).join("")).toBe("");
        }
      },
    ),
  ));

it("EventLines joins the first ten violations of a message", () => {
  const deliveries = [delivery("{}\n"), delivery("{}")];
  const violations = Array.from({ length: 12 }, (_, at) => ({
    line: 3,
    field: `f${at}`,
    description: "is wrong",
  }));
  const found = new EventLines(deliveries).invalid(violations);
  const reason = Array.from({ length: 10 }, (_, at) => `f${at} is wrong`).join("; ");
  expect(found).toEqual([{ delivery: deliveries[1], reason }]);
});

it("isBlank returns true for messages without an event", () => {
  expect(["", "\n", " \t\r\n", "{}", "\n1"].map((text) => isBlank(delivery(text)))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
