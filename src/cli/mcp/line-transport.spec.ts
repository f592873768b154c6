import { PassThrough } from "node:stream";
import { beforeEach, describe, expect, it, onTestFinished, test, vi } from "vitest";
import { MAX_MCP_LINE_BYTES } from "../../limits/request-limits.js";
import { LineTransport } from "./line-transport.js";

let input: PassThrough;
let output: PassThrough;
let transport: LineTransport;
let events: unknown[];
beforeEach(async () => {
  [input, output, events] = [new PassThrough(), new PassThrough(), []];
  transport = new LineTransport(input, output, () => events.push("too long"));
  transport.onmessage = (message) => events.push(message);
  transport.onerror = ({ message }) => events.push(message);
  transport.onclose = () => events.push("closed");
  await transport.start();
});

const ping = (id: number, text = "") => ({ jsonrpc: "2.0", id, method: "ping", params: { text } });
const lineOf = (message: object) => `${JSON.stringify(message)}\n`;
const written = (): unknown => JSON.parse(String(output.read()));

/** Writes to the transport, and waits until it has read everything. */
async function write(...chunks: readonly (string | Buffer)[]): Promise<void> {
  for (const chunk of chunks) input.write(chunk);
  await new Promise(setImmediate);
}

describe("LineTransport", () => {
  it("receives one message per line, in chunks of any size", async () => {
    const bytes = Buffer.from(`${lineOf(ping(1, "é"))}\r\n${lineOf(ping(2))}`);
    await write(...Array.from(bytes, (byte) => Buffer.of(byte)));
    await write(`${lineOf(ping(3))}${lineOf(ping(4))}`);
    expect(events).toEqual([ping(1, "é"), ping(2), ping(3), ping(4)]);
  });

  it("closes when its input ends", async () => {
    input.end();
    await new Promise((resolve) => input.once("close", resolve));
    expect(events).toEqual(["closed"]);
  });

  it("closes after the responses to all requests except canceled ones, when its input ends", async () => {
    const canceled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
    input.end([ping(1), ping(2), ping(3), canceled].map(lineOf).join(""));
    await new Promise((resolve) => input.once("close", resolve));
    await transport.send({ jsonrpc: "2.0", id: 3, result: {} });
    expect(events).toEqual([ping(1), ping(2), ping(3), canceled]);
    await transport.send({ jsonrpc: "2.0", id: 1, error: { code: -32_603, message: "failed" } });
    expect(events.at(-1)).toBe("closed");
  });

  it("closes within a minute after its input ends, also without responses", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    input.end(lineOf(ping(1)));
    await new Promise((resolve) => input.once("close", resolve));
    vi.advanceTimersByTime(59_999);
    expect(events).toEqual([ping(1)]);
    vi.advanceTimersByTime(1);
    expect(events).toEqual([ping(1), "closed"]);
  });

  test.each([
    ["no json", null, -32_700, /^Parse error: the line is not JSON: no json$/],
    ["[]", null, -32_600, /^Invalid request: the line is not a message of JSON-RPC 2\.0$/],
    ["5", null, -32_600, /^Invalid request/],
    ['{"arguments":[]}', null, -32_600, /^Invalid request/],
    ['{"jsonrpc":"2.0","id":7,"method":5}', 7, -32_600, /^Invalid request/],
    [`"${"a".repeat(5_000)}`, null, -32_700, /^.{50,300}$/],
  ])("responds to %s with a JSON-RPC error, and continues", async (line, id, code, message) => {
    await write(`${line}\n`, lineOf(ping(2)));
    const error = { code, message: expect.stringMatching(message) };
    expect(written()).toEqual({ jsonrpc: "2.0", id, error });
    expect(events).toEqual([ping(2)]);
  });

  it("closes with an error after a line that is too long", async () => {
    await write(lineOf(ping(1)), Buffer.alloc(MAX_MCP_LINE_BYTES, " "), "  ", `\n${lineOf(ping(2))}`);
    expect(events).toEqual([
      ping(1),
      "too long",
      "a message on standard input is longer than 10 MiB",
      "closed",
    ]);
  });

  it("sends one message per line, with validation errors in one sentence", async () => {
    await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
    expect(written()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    const issues = [{ code: "invalid_type", path: ["params", "arguments"], message: "expected record" }];
    const message = `Invalid tools/call request: ${JSON.stringify(issues, null, 2)}`;
    await transport.send({ jsonrpc: "2.0", id: 2, error: { code: -32_602, message } });
    expect(written()).toMatchObject({
      error: { code: -32_602, message: "Invalid tools/call request: params.arguments: expected record" },
    });
  });
});
