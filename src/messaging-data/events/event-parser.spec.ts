import { expect, test } from "vitest";
import { EventParser } from "./event-parser.js";

test.each(["2025-06-03", "", "yesterday", "2026-02-30T00:00:00Z", "0001-01-01T00:00:00Z"])(
  "a line with the time %j is a violation and no fault",
  (eventTime) => {
    const parser = new EventParser(8192);
    parser.push(Buffer.from(JSON.stringify({ appId: "a", messageId: "m", eventTime, eventType: "DELIVERED" })));
    expect(parser.finish()).toMatchObject({ invalidLines: 1, violations: [{ field: "lines[1].eventTime" }] });
  },
);
