import { describe, expect, it } from "vitest";
import type { Message } from "./message-source.js";
import { MAX_WAITING, WaitingMessages } from "./waiting-messages.js";

function message(fields: Partial<Message> = {}): Message {
  return {
    linePrefix: "",
    app: 0,
    day: 0,
    dayEnd: 1000,
    label: 0,
    notification: false,
    optedIn: true,
    acceptedAt: 0,
    expiresAt: 1000,
    collapseKey: 0,
    highPriority: false,
    isLost: false,
    reported: 0,
    reportedThatDay: 0,
    lastReportAt: 0,
    ...fields,
  };
}

describe("WaitingMessages", () => {
  it("keeps 100 non-collapsible messages, and removes all of them, but no collapsible message, when one more arrives", () => {
    const waiting = new WaitingMessages();
    const collapsible = message({ collapseKey: 3 });
    expect(waiting.add(collapsible)).toEqual([]);
    for (let count = 0; count < MAX_WAITING; count++) expect(waiting.add(message())).toEqual([]);
    expect(waiting.add(message())).toHaveLength(MAX_WAITING + 1);
    expect(waiting.takeAll()).toEqual([collapsible]);
    expect(waiting.size).toBe(0);
  });

  it("removes the message with the collapse key of a later one", () => {
    const waiting = new WaitingMessages();
    const first = message({ collapseKey: 1 });
    for (const each of [first, message({ collapseKey: 2 }), message()]) waiting.add(each);
    expect(waiting.takeCollapsedBy(message())).toBeUndefined();
    expect(waiting.takeCollapsedBy(message({ collapseKey: 1 }))).toBe(first);
    expect(waiting.takeCollapsedBy(message({ collapseKey: 1 }))).toBeUndefined();
    expect(waiting.size).toBe(2);
  });

  it("removes messages when their time to live ends", () => {
    const waiting = new WaitingMessages();
    expect(waiting.nextExpiry).toBe(Number.POSITIVE_INFINITY);
    for (const expiresAt of [30, 10, 20]) waiting.add(message({ expiresAt }));
    expect(waiting.nextExpiry).toBe(10);
    expect(waiting.takeExpired(9)).toEqual([]);
    expect(waiting.takeExpired(20).map(({ expiresAt }) => expiresAt)).toEqual([10, 20]);
    expect(waiting.nextExpiry).toBe(30);
  });
});
