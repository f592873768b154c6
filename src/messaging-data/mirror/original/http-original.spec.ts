import { afterEach, expect, it } from "vitest";
import { dayOfCivil } from "../../../model/day.js";
import { HttpOriginal, type HttpOriginalOptions } from "./http-original.js";
import type { OriginalPage } from "./original.js";
import { type ScriptedAnswer, type ScriptedOriginal, scriptedOriginal } from "./testing/scripted-original.js";
import { StaticCredentials } from "./testing/static-credentials.js";

const APP = "1:123456789012:android:0a1b2c3d4e5f";
const NOW = Date.UTC(2026, 10, 22, 12);
const TODAY = dayOfCivil(2026, 11, 22);

let server: ScriptedOriginal | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function originalOf(answers: readonly ScriptedAnswer[], options: Partial<HttpOriginalOptions> = {}) {
  server = await scriptedOriginal(answers);
  return new HttpOriginal({
    url: server.origin,
    project: "demo-project",
    credentials: new StaticCredentials(["s3cret", "s3cond"]),
    clock: { wall: () => NOW, monotonic: () => 0 },
    today: () => TODAY,
    ...options,
  });
}

/** Reads all pages, and the error that ends them. */
async function walk(
  original: HttpOriginal,
  signal = new AbortController().signal,
): Promise<{ pages: OriginalPage[]; error?: unknown }> {
  const pages: OriginalPage[] = [];
  try {
    for await (const page of original.pages(APP, signal)) pages.push(page);
    return { pages };
  } catch (error) {
    return { pages, error };
  }
}

const entry = (day: number, analyticsLabel: string, countMessagesAccepted = "100") => ({
  appId: APP,
  date: { year: 2026, month: 11, day },
  analyticsLabel,
  data: { countMessagesAccepted, messageOutcomePercents: { delivered: 25 } },
});

it("reads all pages of an app, each when it is asked for", async () => {
  const original = await originalOf([
    { body: { androidDeliveryData: [entry(21, "a")], nextPageToken: "t/1" } },
    { body: { androidDeliveryData: [entry(20, "a")] } },
  ]);
  const { pages, error } = await walk(original);
  expect(error).toBeUndefined();
  expect(pages.map(({ entries }) => entries.map(({ day, label }) => [day - TODAY, label]))).toEqual([
    [[-1, "a"]],
    [[-2, "a"]],
  ]);
  expect(pages.map(({ fetchedAt, problems }) => [fetchedAt, problems])).toEqual([
    [NOW, []],
    [NOW, []],
  ]);
  const path = `/v1beta1/projects/demo-project/androidApps/${APP}/deliveryData?pageSize=10000`;
  expect(server?.targets).toEqual([path, `${path}&pageToken=t%2F1`]);
  expect(pages.map(({ url }) => url)).toEqual(server?.targets.map((target) => `${server?.origin}${target}`));
  expect(server?.authorizations).toEqual(["Bearer s3cret", "Bearer s3cret"]);
});
