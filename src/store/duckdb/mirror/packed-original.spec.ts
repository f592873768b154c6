import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OriginalPacker, unpackOriginal } from "./packed-original.js";

const ENTRY =
  '{"appId":"1:1:android:0a","date":{"year":2026,"month":3,"day":5},"analyticsLabel":"7","data":{"countMessagesAccepted":"9007199254740993","messageOutcomePercents":{"delivered":33.333333333333336,"pending":1e-7,"collapsed":50.0,"droppedTtlExpired":-0}}}';

describe("OriginalPacker", () => {
  it("removes app id, label and figures from the JSON, which leaves the same form for many entries", () => {
    expect(new OriginalPacker().pack(ENTRY, "1:1:android:0a", "7")).toEqual({
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
        const packer = new OriginalPacker();
        const packed = packer.pack(text, appId, label);
        expect(unpackOriginal(packed, appId, label)).toBe(text);
        expect(packer.pack(text, appId, label)).toEqual(packed);
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

  it("returns the same parts for a known form as for a new one", () => {
    const figure = fc.constantFrom(
      "7",
      "-0",
      "1e-7",
      "33.333333333333336",
      "50.0",
      "x",
      '1,"a":2',
      "",
      "007",
      "1.2.3",
    );
    const entry = fc.tuple(figure, figure, fc.constantFrom("a", "b"), fc.constantFrom("", "7", "l"));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        const packer = new OriginalPacker();
        for (const [first, second, appId, label] of entries) {
          const text = `{"appId":"a","analyticsLabel":"${label}","data":{"x":"${first}","y":${second}}}`;
          expect(packer.pack(text, appId, label)).toEqual(new OriginalPacker().pack(text, appId, label));
        }
      }),
    );
  });

  it("packs entries with more forms than it keeps, and with long ones", () => {
    const packer = new OriginalPacker();
    const texts = Array.from({ length: 40 }, (_, i) => `{"${"k".repeat(i % 20)}":${i}}`);
    const long = `{"${"k".repeat(100_000)}":1}`;
    for (const text of [...texts, long, ...texts, long]) {
      expect(unpackOriginal(packer.pack(text, "a", "l"), "a", "l")).toBe(text);
    }
  });
});
