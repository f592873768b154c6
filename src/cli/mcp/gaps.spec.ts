import { WaybillClient } from "@waybill/client";
import { expect, test } from "vitest";
import type { AndroidMirrorGapJson } from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { loopbackServer } from "../../http/testing/loopback-server.js";
import { readGaps } from "./gaps.js";

const startTime = "2020-03-04T08:00:00Z";
const missing = (appId: string, day: number): AndroidMirrorGapJson => ({
  appId,
  kind: "MISSING_DATE",
  date: { year: 2020, month: 3, day },
  expireDate: { year: 2020, month: 3, day: day + 7 },
  startTime,
});
const REFUSED: AndroidMirrorGapJson = {
  appId: "-",
  kind: "CREDENTIALS_REJECTED",
  startTime,
  problem: "HTTP 403: no",
};

/** Reads gaps from a server with these gaps on its first page. */
async function found(gaps: readonly AndroidMirrorGapJson[], nextPageToken?: string) {
  const server = await loopbackServer((_, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ gaps, nextPageToken }));
  });
  const client = new WaybillClient({ messagingDataUrl: server.origin, token: "t" });
  try {
    return await readGaps("-", { client, project: "p", signal: new AbortController().signal });
  } finally {
    await server.close();
  }
}

test("readGaps returns no line if there are no gaps", async () => {
  expect(await found([])).toEqual({ lines: [], data: { gaps: [], moreGaps: false } });
});

test("readGaps returns gaps as sentences in one line, and as data", async () => {
  expect(await found([missing("a", 1), REFUSED])).toEqual({
    lines: [
      "The mirror has gaps: 1 date is lost: it has expired upstream. The upstream service has rejected the mirror's " +
        "credentials since 2020-03-04T08:00:00.000Z; the last attempt failed with HTTP 403: no.",
    ],
    data: {
      gaps: [
        { app: "a", kind: "MISSING_DATE", date: "2020-03-01", expireDate: "2020-03-08", since: startTime },
        { app: "-", kind: "CREDENTIALS_REJECTED", since: startTime, problem: "HTTP 403: no" },
      ],
      moreGaps: false,
    },
  });
});

test.each([
  [21, undefined, "The mirror has gaps: 21 dates are lost in 21 apps"],
  [1_000, "more", "Of the first 1,000 gaps in the mirror: 1,000 dates are lost in 1,000 apps"],
])("readGaps with %i gaps returns twenty of them as data", async (number, nextPageToken, beginning) => {
  const gaps = Array.from({ length: number }, (_, index) => missing(`app-${index}`, 1));
  const { lines, data } = await found(gaps, nextPageToken);
  expect(lines).toEqual([expect.stringContaining(beginning)]);
  expect([data.gaps.length, data.moreGaps]).toEqual([20, true]);
});
