import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { NoSlotError } from "../../limits/limit-wait.js";
import {
  MAX_UNAUTHENTICATED_UNREAD_BYTES,
  MAX_UNCOUNTED_RESPONSE_BYTES,
  MAX_UNREAD_BYTES,
  MAX_WAIT_MS,
} from "../../limits/request-limits.js";
import { CallShare, ResponseShares } from "./response-shares.js";

/** Slots that a principal can use while no other principal uses one. */
const OWN_SLOTS = 2;

const never = () => new AbortController().signal;

/** Creates calls of one principal, or of unauthenticated callers at one address. */
function callsOf(shares: ResponseShares, principal: string | undefined, address = "192.0.2.1") {
  return (): CallShare => {
    const share = new CallShare(shares, () => address);
    share.budgetKey = principal;
    return share;
  };
}

/** Leaves as many pages unread as a caller may. @returns their number of bytes. */
function leaveUnread(call: () => CallShare): number {
  const page = () => Buffer.alloc(1_000_000);
  let bytes = 0;
  while (call().hold(page()) !== undefined) bytes += 1_000_000;
  return bytes;
}

test.each([
  ["a principal", "someone", MAX_UNREAD_BYTES],
  ["an unauthenticated client", undefined, MAX_UNAUTHENTICATED_UNREAD_BYTES],
])("%s has its own budget for unread bytes", (_who, principal, limit) => {
  const shares = new ResponseShares();
  const bytes = leaveUnread(callsOf(shares, principal));
  expect(bytes).toBeLessThanOrEqual(limit);
  expect(bytes).toBeGreaterThan(limit / 2);
  const page = Buffer.alloc(1_000_000);
  expect(callsOf(shares, "another")().hold(page)).toBeDefined();
  expect(callsOf(shares, undefined, "192.0.2.2")().hold(page)).toBeDefined();
});

it("small responses do not count as unread bytes", () => {
  const call = callsOf(new ResponseShares(), "someone");
  leaveUnread(call);
  expect(call().hold(Buffer.alloc(MAX_UNCOUNTED_RESPONSE_BYTES))).toBeDefined();
});

describe("a caller with the maximum of unread bytes", () => {
  it("waits before it receives a response that several calls share", async () => {
    const call = callsOf(new ResponseShares(), "someone");
    const first = Array.from({ length: 13 }, () => call().hold(Buffer.alloc(5_000_000)));
    const holding = call().holdResponse(Buffer.alloc(5_000_000), never);
    expect(holding).toBeInstanceOf(Promise);
    for (const release of first) release?.();
    expect(await holding).toBeInstanceOf(Function);
  });

  it("gets 503 for a response that only this call needs", async () => {
    const call = callsOf(new ResponseShares(), "someone");
    const made = call();
    await made.waitForSlot(never());
    leaveUnread(call);
    const tooLarge = Buffer.alloc(MAX_UNREAD_BYTES / 2);
    expect(() => made.holdResponse(tooLarge, never)).toThrow(
      expect.objectContaining({ reason: "RESPONSE_BACKLOG_EXCEEDED" }),
    );
  });

  it.each<[string, (call: CallShare) => Promise<unknown>]>([
    ["a slot", (call) => call.waitForSlot(never())],
    ["memory for a shared response", async (call) => call.holdResponse(Buffer.alloc(5_000_000), never)],
  ])("is rejected in time if it waits for %s, while others are served", async (_, wait) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const shares = new ResponseShares();
    const call = callsOf(shares, "someone");
    leaveUnread(call);
    const rejection = expect(wait(call())).rejects.toMatchObject({
      reason: "RESPONSE_BACKLOG_EXCEEDED",
      httpStatus: 503,
      headers: { "retry-after": "1" },
    });
    await callsOf(shares, "another")().waitForSlot(never());
    vi.advanceTimersByTime(MAX_WAIT_MS);
    await rejection;
    expect(shares.slots.waiting).toBe(0);
  });

  it("gets no slot for another call", async () => {
    const call = callsOf(new ResponseShares(), "someone");
    leaveUnread(call);
    const controller = new AbortController();
    const waiting = call().waitForSlot(controller.signal);
    controller.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
  });
});

it("a call's slot becomes free with its response, for the next call", async () => {
  const shares = new ResponseShares();
  const call = callsOf(shares, "someone");
  const calls = Array.from({ length: OWN_SLOTS }, call);
  for (const share of calls) await share.waitForSlot(never());
  const next = call().waitForSlot(never());
  expect(shares.slots.waiting).toBe(1);
  calls[0]?.hold(Buffer.alloc(1_000_000));
  await next;
  expect(shares.slots.waiting).toBe(0);
});

it("a call is rejected if other calls of its principal keep the slots for too long", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const call = callsOf(new ResponseShares(), "someone");
  for (const share of Array.from({ length: OWN_SLOTS }, call)) await share.waitForSlot(never());
  const rejection = expect(call().waitForSlot(never())).rejects.toThrow(NoSlotError);
  vi.advanceTimersByTime(MAX_WAIT_MS);
  await rejection;
});

it("a principal has one slot while another principal uses one", async () => {
  const shares = new ResponseShares();
  const other = callsOf(shares, "another")();
  await other.waitForSlot(never());
  const [first, second] = [callsOf(shares, "someone")(), callsOf(shares, "someone")()];
  await first.waitForSlot(never());
  const next = second.waitForSlot(never());
  expect(shares.slots.waiting).toBe(1);
  other.end();
  await next;
});

it("a call that has a slot continues without another slot", async () => {
  const call = callsOf(new ResponseShares(), "someone")();
  for (let slot = 0; slot <= OWN_SLOTS; slot++) await call.waitForSlot(never());
});
