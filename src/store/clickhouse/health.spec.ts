import { expect, it } from "vitest";
import { describeOutage } from "./health.js";

const SHARDS = new Map([
  ["ch2a.example.com:9000", 2],
  ["10.0.0.4:9000", 2],
]);
const of = (message: string) => describeOutage(new Error(message), SHARDS);

it("lists the servers that did not respond to another server, with their shards", () => {
  const tries = [
    "Code: 210, e.displayText() = DB::NetException: Connection refused (ch2a.example.com:9000), e.what() = DB::NetException",
    "Code: 209, e.displayText() = DB::NetException: Timeout: connect timed out: 10.0.0.4:9000 (10.0.0.4:9000)",
    "Code: 210, e.displayText() = DB::NetException: Connection refused (ch2a.example.com:9000)",
  ];
  expect(
    of(
      `Code: 279, e.displayText() = DB::NetException: All connection tries failed. Log:\n\n${tries.join("\n")}`,
    ),
  ).toBe("ClickHouse does not respond at ch2a.example.com:9000 (shard 2), 10.0.0.4:9000 (shard 2)");
});

it("lists a server without a known shard, also from messages of current engines", () => {
  expect(
    of("Code: 279. DB::NetException: Connection refused (ch9:9000, 10.0.0.9, local address: 10.0.0.1:4)"),
  ).toBe("ClickHouse does not respond at ch9:9000");
});

it("returns the first line of any other error", () => {
  expect(of("connect ECONNREFUSED 10.0.0.1:8123\nat x")).toBe("connect ECONNREFUSED 10.0.0.1:8123");
});
