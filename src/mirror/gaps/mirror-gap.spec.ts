import { expect, it } from "vitest";
import { AndroidMirrorGap_Kind as Kind } from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { gapFigures } from "./mirror-gap.js";

const TODAY = 20_779;
const gap = (kind: Kind, expireDay?: number) => ({ appId: "a", kind, expireDay, since: 0 });

it("gapFigures counts gaps by kind, and returns the days on which entries expire upstream, from today on", async () => {
  const gaps = [
    [gap(Kind.MISSING_DATE, TODAY + 2), gap(Kind.MISSING_DATE, TODAY), gap(Kind.MISSING_DATE, TODAY - 1)],
    [],
    [gap(Kind.MISSING_DATE, TODAY + 2), gap(Kind.SCHEMA_CHANGED)],
  ];
  expect(await gapFigures(gaps, TODAY)).toEqual({
    counts: new Map([
      [Kind.MISSING_DATE, 4],
      [Kind.SCHEMA_CHANGED, 1],
    ]),
    expireDays: new Set([TODAY + 2, TODAY]),
  });
});
