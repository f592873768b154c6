import { describe, expect, test } from "vitest";
import { deliveredInWords, othersInWords, outcomeShares } from "./outcome-shares.js";

describe("outcomeShares", () => {
  const shares = outcomeShares([
    { countMessagesAccepted: "200", delivered: "170", pending: "10", deliveredNoDelay: "150" },
    undefined,
    { countMessagesAccepted: "100", delivered: "70", droppedTtlExpired: "30" },
  ]);

  test("sums up counts, with the percentages of outcomes, most messages first", () => {
    expect(shares).toEqual({
      accepted: 300,
      deliveredPercent: 80,
      outcomes: [
        { outcome: "delivered", messages: 240, percent: 80 },
        { outcome: "droppedTtlExpired", messages: 30, percent: 10 },
        { outcome: "pending", messages: 10, percent: 3.3 },
      ],
    });
  });

  test("can be described in words", () => {
    expect(deliveredInWords(shares)).toBe("300 messages, 80.0 % delivered");
    expect(othersInWords(shares)).toBe("10.0 % dropped ttl expired, 3.3 % pending");
  });
});

test.each([[[]], [[undefined]], [[{ countNotificationsAccepted: "3" }]]])(
  "outcomeShares of the counts %j has no percentages, because there are no messages",
  (counts) => {
    expect(outcomeShares(counts)).toEqual({ accepted: 0, outcomes: [] });
    expect(deliveredInWords(outcomeShares(counts))).toBe("no messages");
  },
);
