import { type ImportEventsOptions, type ImportProgress, WaybillError } from "@waybill/client";
import { describe, expect, it } from "vitest";
import { type ImportTarget, importDeliveries } from "./import-deliveries.js";
import { delivery } from "./testing/delivery.js";

const LISTED = 2;

const linesOf = async ({ events }: ImportEventsOptions): Promise<readonly string[]> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of events) chunks.push(chunk);
  return Buffer.concat(chunks).toString().split("\n").slice(0, -1);
};

/** A server to which lines with `bad` are invalid, and requests with `huge` are too large. */
class TestServer implements ImportTarget {
  readonly project = "project";
  readonly batchBytes = undefined;
  readonly requests: (readonly string[])[] = [];
  readonly client = {
    importEvents: async (options: ImportEventsOptions): Promise<ImportProgress> => {
      const lines = await linesOf(options);
      this.requests.push(lines);
      if (lines.some((line) => line.includes("huge")))
        throw new WaybillError({
          code: "INVALID_ARGUMENT",
          httpStatus: 413,
          message: "The request is too large.",
        });
      if (lines.some((line) => line.includes("down")))
        throw new WaybillError({ code: "UNAVAILABLE", message: "The server is down." });
      const invalid = lines.flatMap((line, index) => (line.includes("bad") ? [index + 1] : []));
      return {
        importedCount: lines.filter((line) => line !== "").length - invalid.length,
        optedOutCount: 1,
        tooLateCount: 2,
        invalidCount: invalid.length,
        invalidLines: invalid.slice(0, LISTED).map((line) => ({ line, field: "", description: "is bad" })),
        bytes: 0,
      };
    },
  };
}

describe("importDeliveries", () => {
  it("imports all messages in one request, and returns messages without events as invalid", async () => {
    const server = new TestServer();
    const deliveries = ["a\nb\n", " ", "c"].map(delivery);
    expect(await importDeliveries(deliveries, server)).toEqual({
      importedCount: 3,
      optedOutCount: 1,
      tooLateCount: 2,
      invalid: [{ delivery: deliveries[1], reason: "has no event" }],
    });
    expect(server.requests).toEqual([["a", "b", "", "c"]]);
  });

  it("finds all invalid messages even if the server does not list all", async () => {
    const server = new TestServer();
    const deliveries = ["bad 1", "a", "bad 2", "bad 3\nbad 4\nbad 5", "b", "bad 6"].map(delivery);
    const { importedCount, invalid } = await importDeliveries(deliveries, server);
    expect(importedCount).toBe(2);
    expect(new Set(invalid.map((found) => found.delivery))).toEqual(
      new Set([0, 2, 3, 5].map((index) => deliveries[index])),
    );
    expect(server.requests.at(-1)).toEqual(["a", "b", "bad 6"]);
  });

  it("imports the other messages if one message makes a request invalid", async () => {
    const server = new TestServer();
    const deliveries = ["a", "b", "huge", "bad", "c"].map(delivery);
    expect(await importDeliveries(deliveries, server)).toMatchObject({
      importedCount: 3,
      invalid: [
        { delivery: deliveries[2], reason: "The request is too large." },
        { delivery: deliveries[3], reason: "is bad" },
      ],
    });
  });

  it("throws other errors", async () => {
    await expect(importDeliveries(["a", "down"].map(delivery), new TestServer())).rejects.toThrow("is down");
  });
});
