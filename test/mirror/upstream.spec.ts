import { readFile, writeFile } from "node:fs/promises";
import { describe, expect } from "vitest";
import { GoogleCredentials } from "../../src/mirror/upstream/google-credentials.js";
import { HttpUpstream } from "../../src/mirror/upstream/http-upstream.js";
import type { UpstreamPage } from "../../src/mirror/upstream/upstream.js";
import { systemClock } from "../../src/model/clock.js";
import { dayOf } from "../../src/model/day.js";
import { appIds } from "../../src/simulator/simulate-traffic.js";
import { importTraffic } from "../support/data/simulated-traffic.js";
import { createCredentials } from "../support/servers/credentials.js";
import { test as serving } from "../support/servers/fixtures.js";
import { EDITOR, NO_ROLE, PROJECT, VIEWER } from "../support/servers/project.js";

const APPS = [...appIds(2)];
const SCOPE = "https://www.googleapis.com/auth/cloud-platform";

const test = serving
  .extend("entries", { scope: "file" }, async ({ server }) =>
    importTraffic(server, await server.token(EDITOR), ...APPS),
  )
  .extend("upstreamFor", ({ server }) => async (principal: string): Promise<HttpUpstream> => {
    const { path: file } = await createCredentials(server, principal);
    return new HttpUpstream({
      url: server.messagingDataUrl,
      project: PROJECT.id,
      credentials: new GoogleCredentials({ file, scope: SCOPE, project: PROJECT.id }),
      clock: systemClock,
      today: () => dayOf(Date.now()),
    });
  });

async function pagesOf(upstream: HttpUpstream, appId: string): Promise<UpstreamPage[]> {
  const pages: UpstreamPage[] = [];
  const { signal } = new AbortController();
  for await (const page of upstream.pages(appId, signal, async () => {})) pages.push(page);
  return pages;
}

describe("another Waybill server as upstream, with credentials for its token exchange", () => {
  test("lists its apps, and their entries in the same order", async ({ entries, upstreamFor }) => {
    const upstream = await upstreamFor(VIEWER);
    expect(await upstream.apps(new AbortController().signal)).toEqual([...APPS].sort());
    for (const app of APPS) {
      const pages = await pagesOf(upstream, app);
      expect(pages.flatMap(({ problems }) => problems)).toEqual([]);
      const originals = pages.flatMap((page) =>
        [...page.entries.values()].map(({ original }) => JSON.parse(original)),
      );
      expect(originals).toEqual(entries.filter(({ appId }) => appId === app));
      expect(originals.length).toBeGreaterThan(0);
    }
  });

  test("rejects a principal without access", async ({ upstreamFor }) => {
    await expect(pagesOf(await upstreamFor(NO_ROLE), "a")).rejects.toMatchObject({
      kind: "credentials",
      message: expect.stringContaining("HTTP status 403: "),
    });
  });

  test("rejects a forged subject token, without repeating the token in the error", async ({ server }) => {
    const { path: file, subject_token } = await createCredentials(server, VIEWER);
    const text = await readFile(file, "utf8");
    const forged = `${subject_token.slice(0, -8)}AAAAAAAA`;
    await writeFile(file, text.replace(subject_token, forged));
    const credentials = new GoogleCredentials({ file, scope: SCOPE, project: PROJECT.id });
    const asking = credentials.headers(new URL(server.messagingDataUrl), new AbortController().signal);
    const error = await asking.catch((error: unknown) => error);
    expect(error).toMatchObject({
      kind: "credentials",
      message: expect.stringMatching(/^no access token: HTTP status 400: invalid_request: /),
    });
    expect(String(error)).not.toContain(forged.slice(0, 20));
  });
});
