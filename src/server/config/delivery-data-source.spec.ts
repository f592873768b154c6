import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { loadConfig } from "./config.js";
import { ConfigError } from "./config-values.js";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** Loads a project with a source of delivery data. @returns the source, or the error message in lines. */
async function load(deliveryData: unknown): Promise<unknown> {
  const directory = await testDirectory();
  const file = join(directory, "waybill.yaml");
  await writeFile(file, JSON.stringify({ projects: [{ id: "shop", number: "42", deliveryData }] }));
  const config = await loadConfig(file).catch((error: unknown) => error);
  if (config instanceof ConfigError) return config.message.split("\n");
  if (config instanceof Error) throw config;
  const { projects } = config as Awaited<ReturnType<typeof loadConfig>>;
  return JSON.parse(JSON.stringify(projects[0]?.deliveryData).replaceAll(directory, "DIR"));
}

const MIRROR = { url: "https://fcmdata.googleapis.com" };

describe("the source of delivery data", () => {
  it("is events, unless the configuration sets another source", async () => {
    expect(await load(undefined)).toEqual({ source: "events" });
  });

  it("is a mirror with default settings", async () => {
    expect(await load({ source: "mirror", mirror: MIRROR })).toEqual({
      source: "mirror",
      mirror: {
        ...MIRROR,
        scope: "https://www.googleapis.com/auth/cloud-platform",
        schedule: { every: 360 * MINUTE, jitter: 15 * MINUTE },
        window: 7 * DAY,
        delay: 5 * DAY,
      },
    });
  });

  it("is a mirror with configured settings", async () => {
    const mirror = {
      url: "http://127.0.0.1:9/base/",
      project: "far",
      apps: ["a", "1:2:android:3"],
      credentialsFile: "keys/far.json",
      scope: "https://auth.example.com/platform",
      schedule: { every: "1h", jitter: "0s" },
      window: "30d",
      delay: "0s",
    };
    expect(await load({ source: "mirror", mirror })).toEqual({
      source: "mirror",
      mirror: {
        url: "http://127.0.0.1:9/base",
        project: "far",
        apps: ["a", "1:2:android:3"],
        credentialsFile: "DIR/keys/far.json",
        scope: "https://auth.example.com/platform",
        schedule: { every: 60 * MINUTE, jitter: 0 },
        window: 30 * DAY,
        delay: 0,
      },
    });
  });

  test.each([
    [{ source: "mirror" }, "mirror: is required"],
    [{ source: "events", mirror: MIRROR }, "mirror: is not a known key"],
    [{ source: "both" }, 'source: must be "events" or "mirror"'],
    [{ source: "mirror", mirror: {} }, "mirror.url: is required"],
    [
      { source: "mirror", mirror: { url: "http://example.com" } },
      "mirror.url: must be an https URL without credentials (http only for this machine)",
    ],
    [
      { source: "mirror", mirror: { url: "https://a:b@example.com" } },
      "mirror.url: must be an https URL without credentials (http only for this machine)",
    ],
    [
      { source: "mirror", mirror: { ...MIRROR, appsUrl: "http://example.com/apps" } },
      "mirror.appsUrl: must be an https URL without credentials (http only for this machine)",
    ],
    [{ source: "mirror", mirror: { ...MIRROR, apps: [] } }, "mirror.apps: must name an app"],
    [
      { source: "mirror", mirror: { ...MIRROR, apps: ["a", "a"] } },
      "mirror.apps: must not name an app twice",
    ],
    [
      { source: "mirror", mirror: { ...MIRROR, apps: ["-"] } },
      'mirror.apps[0]: must have 1 to 256 characters, no slash and no control characters, and not be "-", "." or ".."',
    ],
    [
      { source: "mirror", mirror: { ...MIRROR, apps: [".."] } },
      'mirror.apps[0]: must have 1 to 256 characters, no slash and no control characters, and not be "-", "." or ".."',
    ],
    [
      { source: "mirror", mirror: { ...MIRROR, apps: ["a"], appsUrl: "https://example.com/apps" } },
      "mirror.appsUrl: cannot be combined with apps",
    ],
    [
      { source: "mirror", mirror: { ...MIRROR, schedule: { every: "1s" } } },
      "mirror.schedule.every: must be from 1m to 1d",
    ],
    [
      { source: "mirror", mirror: { ...MIRROR, schedule: { every: "1h", jitter: "2h" } } },
      "mirror.schedule.jitter: must not be longer than every",
    ],
    [
      { source: "mirror", mirror: { ...MIRROR, window: "180h" } },
      'mirror.window: must be whole days, such as "7d"',
    ],
    [{ source: "mirror", mirror: { ...MIRROR, delay: "7d" } }, "mirror.delay: must be shorter than window"],
    [{ source: "mirror", mirror: { ...MIRROR, token: "x" } }, "mirror.token: is not a known key"],
  ])("rejects %j", async (given, problem) => {
    expect(await load(given)).toEqual([`projects[0].deliveryData.${problem}`]);
  });
});
