import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packOriginal, unpackOriginal } from "./packed-original.js";

const ENTRY =
  '{"appId":"1:1:android:0a","date":{"year":2026,"month":3,"day":5},"analyticsLabel":"7","data":{"countMessagesAccepted":"9007199254740993","messageOutcomePercents":{"delivered":33.333333333333336,"pending":1e-7,"collapsed":50.0,"droppedTtlExpired":-0}}}';

describe("packOriginal", () => {
  it("removes app id, label and figures from the JSON, which leaves the same form for many entries", () => {
    expect(packOriginal(ENTRY, "1:1:android:0a", "7")).toEqual({
      form: '{\u0001,"date":{"year":\u0003,"month":\u0003,"day":\u0003},\u0002,"data":{"countMessagesAccepted":"\u0003","messageOutcomePercents":{"delivered":\u0003,"pending":\u0003,"collapsed":\u0003,"droppedTtlExpired":\u0003}}}',
      figures: "2026 3 5 9007199254740993 33.333333333333336 1e-7 50.0 -0",
    });
  });

  const piece = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.double().map(String),
    fc.constantFrom(
      '"appId":"a"',
      '"analyticsLabel":"$&"',
      '"analyticsLabel":""',
      '":1,"',
      ":2}",
      "\u0001",
      "\u0002",
      "\u0003",
      " ",
    ),
  );
  it("packs any string so that unpackOriginal restores it", () => {
    const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    const names = fc.oneof(fc.constantFrom("a", "$&", ""), fc.string());
    fc.assert(
      fc.property(fc.oneof(texts, fc.constant(ENTRY)), names, names, (text, appId, label) => {
        expect(unpackOriginal(packOriginal(text, appId, label), appId, label)).toBe(text);
      }),
      {
        numRuns: 2_000,
        examples: [
          [ENTRY, "1:1:android:0a", "7"],
          ['{"data":{}}', "a", ""],
        ],
      },
    );
  });
});
