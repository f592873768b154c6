import { expect, test } from "vitest";
import { appName, change, messages, outcomeName, percent } from "./words.js";

test.each([
  [messages(1), "1 message"],
  [messages(1_400), "1,400 messages"],
  [percent(36.25), "36.3 %"],
  [percent(100), "100.0 %"],
  [change(1.54, "points"), "rose by 1.5 points"],
  [change(-30, "%"), "fell by 30.0 %"],
  [change(-0.04, "points"), "did not change"],
  [appName("1:5:android:dd"), "app 1:5:android:dd"],
  [appName("-"), "all apps"],
  [outcomeName("droppedTtlExpired"), "dropped ttl expired"],
  [outcomeName("DROPPED_TTL_EXPIRED"), "dropped ttl expired"],
])("the word functions format %j", (text, expected) => {
  expect(text).toBe(expected);
});
