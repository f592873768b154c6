import { setImmediate as nextTick } from "node:timers/promises";
import { expect, it } from "vitest";
import { withResolver } from "../support/waiting.js";
import { WaybillError } from "../waybill-error.js";
import { importEvents } from "./event-import.js";

it("importEvents sums the counts of all requests, even if a response omits some counts", async () => {
  const responses = [
    { importedCount: "3" },
    { importedCount: "1", optedOutCount: "2", tooLateCount: "4" },
    { tooLateCount: "5" },
  ];
  const events = responses.map((_, i) => Buffer.from(`{"messageId":"${i}"}\n`));
  const send = async () => responses.shift() ?? {};
  expect(await importEvents(send, events, { batchBytes: 1 })).toEqual({
    importedCount: 4,
    optedOutCount: 2,
    tooLateCount: 9,
    invalidCount: 0,
    invalidLines: [],
    bytes: 54,
  });
});

it("importEvents counts skipped lines, and keeps the first 100 violations with their line numbers in the stream", async () => {
  const lines = [1, 2, 3].map((i) => Buffer.from(`{"messageId":"${i}"}\n`));
  const responses = [
    { importedCount: "1" },
    { invalidCount: "1", invalidLines: [{ line: 1, field: "appId", description: "is required" }] },
    {
      invalidCount: "500",
      invalidLines: Array.from({ length: 100 }, () => ({ line: 1, description: "is not JSON" })),
    },
  ];
  const { invalidCount, invalidLines } = await importEvents(async () => responses.shift() ?? {}, lines, {
    batchBytes: 1,
    skipInvalid: true,
  });
  expect(invalidCount).toBe(501);
  expect(invalidLines).toHaveLength(100);
  expect(invalidLines.slice(0, 2)).toEqual([
    { line: 2, field: "appId", description: "is required" },
    { line: 3, field: "", description: "is not JSON" },
  ]);
});

it("importEvents sends requests while the server stores the previous ones, and reports progress in order", async () => {
  const lines = Array.from({ length: 5 }, (_, i) => Buffer.from(`{"messageId":"${i}"}\n`));
  const pending: ((response: { importedCount: string }) => void)[] = [];
  const reported: number[] = [];
  const importing = importEvents(() => new Promise((resolve) => pending.push(resolve)), lines, {
    batchBytes: 1,
    onProgress: ({ importedCount }) => reported.push(importedCount),
  });
  await nextTick();
  expect(pending).toHaveLength(3);
  pending[1]?.({ importedCount: "20" });
  await nextTick();
  expect([pending.length, reported]).toEqual([3, []]);
  pending[0]?.({ importedCount: "1" });
  await nextTick();
  expect([pending.length, reported]).toEqual([5, [1, 21]]);
  for (const response of pending.slice(2)) response({ importedCount: "300" });
  expect(await importing).toMatchObject({ importedCount: 921 });
});

it("importEvents waits for the concurrent request before it fails", async () => {
  const lines = [1, 2, 3].map((i) => Buffer.from(`{"messageId":"${i}"}\n`));
  let isOver = false;
  const { promise: second, resolve: end } = withResolver<object>();
  const responses = [Promise.reject(new Error("refused")), second];
  const importing = importEvents(async () => responses.shift() ?? {}, lines, { batchBytes: 1 }).catch(
    (error: unknown) => {
      isOver = true;
      return error;
    },
  );
  await nextTick();
  expect(isOver).toBe(false);
  end({});
  expect(await importing).toMatchObject({ message: "refused" });
  expect(responses).toHaveLength(0);
});

it("importEvents reports invalid lines by their numbers in the stream, also in the metadata", async () => {
  const lines = [1, 2].map((i) => Buffer.from(`{"messageId":"${i}"}\n`));
  const violation = { field: "lines[1].appId", description: "is required" };
  const responses: (() => object)[] = [
    () => ({ importedCount: "1" }),
    () => {
      throw new WaybillError({
        code: "INVALID_ARGUMENT",
        message: "1 of 1 lines is invalid",
        metadata: { invalidLineCount: "1", ...violation },
        violations: [violation],
      });
    },
  ];
  const importing = importEvents(async () => responses.shift()?.() ?? {}, lines, { batchBytes: 1 });
  const inStream = { field: "lines[2].appId", description: "is required" };
  await expect(importing).rejects.toMatchObject({
    message: "line 2: appId is required",
    metadata: { invalidLineCount: "1", ...inStream },
    violations: [inStream],
  });
});
