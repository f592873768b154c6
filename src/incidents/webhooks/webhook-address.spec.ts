import type { RequestListener } from "node:http";
import { withResolver } from "@waybill/client/support";
import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { type LoopbackServer, loopbackServer } from "../../http/testing/loopback-server.js";
import { MAX_WEBHOOK_MS } from "../../limits/data-limits.js";
import { readSecrets, sendOnce, signatureOf } from "./webhook-address.js";

const NOW = Date.UTC(2026, 10, 22, 12);
const MESSAGE = { id: "a-1", body: '{"type":"incident.started"}' };
const KEY = Buffer.alloc(32, 1);

let server: LoopbackServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function send(listener: RequestListener, signal = new AbortController().signal) {
  server = await loopbackServer(listener);
  return sendOnce({ url: `${server.origin}/s3cret`, keys: async () => [KEY] }, MESSAGE, NOW, signal);
}

test.each([200, 201, 202, 204, 299])(
  "sendOnce delivers a message if the response has the status %i",
  async (status) => {
    expect(await send((_, response) => response.writeHead(status).end())).toBeUndefined();
  },
);

describe("sendOnce fails", () => {
  test.each([
    [301, { location: "/elsewhere" }, 0],
    [307, { location: "/elsewhere" }, 0],
    [400, {}, 0],
    [410, {}, 0],
    [429, { "retry-after": "7" }, 7_000],
    [503, { "retry-after": "Sun, 22 Nov 2026 12:01:00 GMT" }, 60_000],
    [503, { "retry-after": "Sun, 22 Nov 2026 11:00:00 GMT" }, 0],
    [503, { "retry-after": "later" }, 0],
    [500, { "retry-after": "-1" }, 0],
  ])("if the response has the status %i with %j", async (status, headers, retryAfterMs) => {
    const targets: unknown[] = [];
    const failed = await send((request, response) => {
      targets.push(request.url);
      response.writeHead(status, headers as Record<string, string>).end("no");
    });
    expect(failed).toEqual({
      problem: `HTTP status ${status}`,
      retryAfterMs,
      isUncertain: false,
      ...(status === 410 && { isGone: true }),
    });
    expect(targets).toEqual(["/s3cret"]);
  });

  it("if the URL cannot be reached, without quoting the URL", async () => {
    const { origin, close } = await loopbackServer(() => {});
    await close();
    const to = { url: `${origin}/s3cret`, keys: async () => [KEY] };
    const failed = await sendOnce(to, MESSAGE, NOW, new AbortController().signal);
    expect(failed).toEqual({ problem: "ECONNREFUSED", retryAfterMs: 0, isUncertain: false });
  });

  it("if the connection is closed", async () => {
    const failed = await send((request) => request.socket.destroy());
    expect(failed).toEqual({ problem: "UND_ERR_SOCKET", retryAfterMs: 0, isUncertain: true });
  });

  it("if the response head is too large", async () => {
    const large = { "x-large": "a".repeat(100_000) };
    const failed = await send((_, response) => response.writeHead(200, large).end());
    expect(failed).toEqual({ problem: "UND_ERR_HEADERS_OVERFLOW", retryAfterMs: 0, isUncertain: true });
  });

  it("if the secret can no longer be read", async () => {
    const keys = () => Promise.reject(Object.assign(new Error("/etc/s3cret"), { code: "ENOENT" }));
    const failed = await sendOnce(
      { url: "http://127.0.0.1:1", keys },
      MESSAGE,
      NOW,
      new AbortController().signal,
    );
    expect(failed).toEqual({ problem: "ENOENT", retryAfterMs: 0, isUncertain: false });
  });
});

describe("sendOnce fails without a response", () => {
  it("when the signal aborts", async () => {
    const controller = new AbortController();
    const failed = await send(() => controller.abort(), controller.signal);
    expect(failed).toEqual({ problem: "no response in time", retryAfterMs: 0, isUncertain: true });
  });

  describe("in time", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
    afterEach(() => void vi.useRealTimers());

    it("even if the receiver writes a part of its head now and then", async () => {
      const { promise: beginning, resolve: begun } = withResolver();
      const sending = send((_, response) => {
        response.socket?.write("HTTP/1.1 200 OK\r\nx-slow: a");
        begun();
      });
      await beginning;
      await vi.advanceTimersByTimeAsync(MAX_WEBHOOK_MS);
      expect(await sending).toEqual({ problem: "no response in time", retryAfterMs: 0, isUncertain: true });
    });
  });
});

it("sendOnce does not read an endless response", async () => {
  let written = 0;
  const { promise: closed, resolve: close } = withResolver();
  const sending = send((_, response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(64 * 1024);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
    };
    response.on("drain", more).on("close", close);
    more();
  });
  expect(await sending).toBeUndefined();
  await closed;
  expect(written).toBeLessThan(64 * 1024 * 1024);
});

/** Test vector of the Standard Webhooks project. */
const VECTOR = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  content: { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: '{"test": 2432232314}' },
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 251).toString("base64")}`;

describe("signatureOf", () => {
  it("returns the signature in the published test vector", () => {
    expect(signatureOf(VECTOR.content, readSecrets(VECTOR.secret))).toBe(VECTOR.signature);
  });

  it("returns one signature per secret, so that secrets can be rotated", () => {
    const other = secretOf(32);
    const [first, second, ...more] = signatureOf(
      VECTOR.content,
      readSecrets(`${other}\r\n${VECTOR.secret}\n`),
    ).split(" ");
    expect([first, more]).toEqual([signatureOf(VECTOR.content, readSecrets(other)), []]);
    expect(second).toBe(VECTOR.signature);
  });
});

test.each([
  ["", "it contains no secret"],
  [" \n", "it contains no secret"],
  [secretOf(24).slice(6), "secret 1 must be whsec_ followed by the base64 of 24 to 64 bytes"],
  [secretOf(23), "secret 1 must be"],
  [secretOf(65), "secret 1 must be"],
  [`${secretOf(24)} ${secretOf(32)}!`, "secret 2 must be"],
])("readSecrets rejects %j without quoting the secret", (text, problem) => {
  const reading = () => readSecrets(text);
  expect(reading).toThrow(problem);
  if (text.trim() !== "") expect(reading).not.toThrow(text.replace("whsec_", "").slice(0, 8));
});

test.each([24, 64])("readSecrets accepts secrets of %i bytes, with and without padding", (bytes) => {
  const [padded, bare] = readSecrets(`${secretOf(bytes)} ${secretOf(bytes).replace(/=+$/, "")}`);
  expect(padded).toEqual(Buffer.alloc(bytes, 251));
  expect(bare).toEqual(padded);
});
