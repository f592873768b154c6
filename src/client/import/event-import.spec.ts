import { expect, it, test } from "vitest";
import { WaybillError } from "../waybill-error.js";
import { importEvents } from "./event-import.js";

/** Imports lines one a request; the server rejects the second request for these violations. */
async function failureFor(...violations: { field: string; description: string }[]): Promise<WaybillError> {
  let requests = 0;
  const send = async () => {
    if (++requests === 1) return { importedCount: "1" };
    throw new WaybillError({ code: "INVALID_ARGUMENT", message: "No.", violations });
  };
  const events = [Buffer.from('{"a":1}\n{"b":2}\n')];
  const failure = await importEvents(send, events, { batchBytes: 1 }).catch((error: unknown) => error);
  if (failure instanceof WaybillError) return failure;
  throw new Error("the import did not fail");
}

test.each([
  [
    "a field of a line",
    "lines[1].eventType",
    "is required",
    "lines[2].eventType",
    "line 2: eventType is required",
  ],
  ["a whole line", "lines[1]", "is not JSON", "lines[2]", "line 2: is not JSON"],
  ["another parameter", "parent", "is required", "parent", "parent is required"],
])("a violation of %s names the line of the stream", async (_, field, description, shifted, message) => {
  const failure = await failureFor({ field, description });
  expect(failure.violations).toEqual([{ field: shifted, description }]);
  expect(failure.message).toBe(message);
});

it("an import that fails for many lines shows ten of them and counts the rest", async () => {
  const violation = { field: "lines[1].appId", description: "is required" };
  const failure = await failureFor(...Array.from({ length: 12 }, () => violation));
  expect(failure.violations).toHaveLength(12);
  expect(failure.message.split("\n")).toEqual([
    ...Array.from({ length: 10 }, () => "line 2: appId is required"),
    "and 2 more",
  ]);
});
