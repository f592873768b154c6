import { create } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, it, test } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { callContext, resourceName } from "../../api/testing/call-context.js";
import { projectCaller } from "../../api/testing/project-caller.js";
import type { EmbeddedRecords } from "../../control/embedded/embedded-records.js";
import { testRecords } from "../../control/testing/test-records.js";
import { ListAndroidMirrorGapsRequestSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { AndroidMirrorGap_Kind as Kind } from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { startOfDay } from "../../model/day.js";
import { PageTokens } from "../../paging/page-tokens.js";
import { MirrorDocument } from "../mirror-document.js";
import type { AppMirror, Failure, ProjectMirror } from "../mirror-state.js";
import { allOf } from "../testing/mirrored-entries.js";
import { gapsByApp, KnownGaps } from "./known-gaps.js";
import { listMirrorGapsHandler } from "./list-mirror-gaps-handler.js";

const HOUR = 3_600_000;
const TODAY = 20_779;
const NOW = startOfDay(TODAY) + 12 * HOUR;
const LAST = TODAY - 3;
const TERMS = { schedule: { every: 6 * HOUR, jitter: HOUR }, delay: 48 * HOUR, windowDays: 7 };

const FAILURE: Failure = {
  count: 1,
  kind: "credentials",
  message: "no",
  since: NOW - HOUR,
  at: 0,
  retryAt: 0,
};
/** An app with two missing dates. */
const APP: AppMirror = {
  since: 0,
  round: NOW,
  days: [
    [LAST - 20, LAST - 9],
    [LAST - 7, LAST - 6],
    [LAST - 4, LAST],
  ],
};
const COMPLETE: AppMirror = { since: 0, round: NOW, days: [[LAST - 20, LAST]] };

describe("KnownGaps", () => {
  let records: EmbeddedRecords;
  let known: KnownGaps;
  beforeEach(async () => {
    records = await testRecords(await testDirectory());
    known = new KnownGaps(records, new Map([["42", TERMS]]), { wall: () => NOW, monotonic: () => 0 });
  });

  const remember = (mirror: ProjectMirror) => new MirrorDocument(records, "42").write(mirror);
  const appsOf = (...appIds: readonly string[]) => new Map(appIds.map((appId) => [appId, APP]));

  it("returns gaps sorted by app in byte order, in whatever order the apps were recorded", async () => {
    await remember({ listing: {}, apps: appsOf("b", "a", "\u{1f600}", "\uffee", "B") });
    const gaps = await allOf(known.read("42"));
    const apps = ["B", "a", "b", "\uffee", "\u{1f600}"];
    expect(gaps.map(({ appId, day }) => [appId, day])).toEqual(
      apps.flatMap((app) => [
        [app, LAST - 5],
        [app, LAST - 8],
      ]),
    );
  });

  it("continues after any gap", async () => {
    await remember({ listing: { failure: FAILURE }, pause: FAILURE, apps: appsOf("a", "!", "c") });
    const all = await allOf(known.read("42"));
    expect(all).toHaveLength(10);
    for (const [index, after] of all.entries()) {
      expect(await allOf(known.read("42", { after }))).toEqual(all.slice(index + 1));
    }
  });

  it("returns a gap for the app list, with its own reason", async () => {
    const failure: Failure = { ...FAILURE, kind: "form" };
    await remember({ listing: { failure }, pause: FAILURE, apps: appsOf("a", "!") });
    const gaps = await allOf(known.read("42"));
    const ofApp = (appId: string) =>
      [Kind.MISSING_DATE, Kind.MISSING_DATE, Kind.CREDENTIALS_REJECTED].map((kind) => [appId, kind]);
    expect(gaps.map(({ appId, kind }) => [appId, kind])).toEqual([
      ...ofApp("!"),
      ["-", Kind.SCHEMA_CHANGED],
      ...ofApp("a"),
    ]);
  });

  it("returns the gaps of one app", async () => {
    await remember({ listing: {}, apps: appsOf("a", "b") });
    const gaps = await allOf(known.read("42", { appId: "b" }));
    expect(gaps.map(({ appId }) => appId)).toEqual(["b", "b"]);
    expect(await allOf(known.read("42", { appId: "c" }))).toEqual([]);
  });

  it("returns nothing for a project without a mirror", async () => {
    expect(await allOf(known.read("43"))).toEqual([]);
  });
});

describe("gapsByApp with thousands of apps", () => {
  /** Apps that record their reads. */
  const watched = (app: AppMirror) => {
    const looked: string[] = [];
    const apps = Array.from({ length: 10_000 }, (_, index) => {
      const appId = `app-${String(index).padStart(5, "0")}`;
      const state: AppMirror = {
        ...app,
        get days() {
          if (looked.at(-1) !== appId) looked.push(appId);
          return app.days;
        },
      };
      return [appId, state] as const;
    });
    return { looked, mirror: { listing: {}, apps: new Map(apps) } };
  };

  test("reads only the apps that a page needs", async () => {
    const { looked, mirror } = watched(APP);
    const handle = listMirrorGapsHandler({
      gaps: { read: (_, selection) => gapsByApp(mirror, TERMS, NOW, selection) },
      tokens: new PageTokens({ key: Buffer.alloc(32, 1), lenient: false, now: () => 0 }),
    });
    const context = callContext(projectCaller({ number: "42" }), {
      resource: resourceName("projects/p/androidApps/-"),
    });
    let pageToken = "";
    // The last gap's app may have more gaps. The app after the page shows that there is a next page.
    for (const expected of [
      ["app-00000", "app-00001", "app-00002"],
      ["app-00001", "app-00002", "app-00003", "app-00004"],
    ]) {
      looked.length = 0;
      const request = { parent: "projects/p/androidApps/-", pageSize: 4, pageToken };
      const page = await handle(create(ListAndroidMirrorGapsRequestSchema, request), context);
      expect([page.gaps.length, looked]).toEqual([4, expected]);
      pageToken = page.nextPageToken;
    }
  });

  it.each([
    ["with gaps", APP, 20_000],
    ["without gaps", COMPLETE, 0],
  ])("lets other work run between apps %s", async (_, app, expected) => {
    const { looked, mirror } = watched(app);
    const lookedBetween: number[] = [];
    let isRunning = true;
    const others = (): void => {
      lookedBetween.push(looked.length);
      if (isRunning) setImmediate(others);
    };
    setImmediate(others);
    expect(await allOf(gapsByApp(mirror, TERMS, NOW))).toHaveLength(expected);
    isRunning = false;
    lookedBetween.push(looked.length);
    const steps = lookedBetween.map((count, index) => count - (lookedBetween[index - 1] ?? 0));
    expect(looked).toHaveLength(10_000);
    expect(Math.max(...steps)).toBeLessThanOrEqual(10);
  });
});
