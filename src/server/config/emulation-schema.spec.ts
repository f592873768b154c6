import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { type Emulation, NO_EMULATION, ORIGINAL } from "../../messaging-data/emulation/emulation.js";
import { loadConfig } from "./config.js";
import { ConfigError } from "./config-values.js";

const HOUR = 3_600_000;

let directory: string;
beforeEach(async () => {
  directory = await testDirectory();
});

async function emulationOf(keys: string): Promise<Emulation | undefined> {
  const file = join(directory, "waybill.yaml");
  await writeFile(file, `messagingData: ${keys}`);
  return (await loadConfig(file)).messagingData.emulation;
}

describe("messagingData.emulation", () => {
  it.each<[keys: string, habits: Partial<Emulation> | undefined]>([
    ["{}", undefined],
    ["{ emulation: {} }", NO_EMULATION],
    ["{ emulation: { window: 7d } }", { ...NO_EMULATION, window: 168 * HOUR }],
    ["{ emulation: { delay: 36h } }", { ...NO_EMULATION, delay: { min: 36 * HOUR, max: 36 * HOUR } }],
    ["{ emulation: { delay: { max: 5d } } }", { ...NO_EMULATION, delay: { min: 0, max: 120 * HOUR } }],
    [
      "{ emulation: { delay: { min: 1d, max: 2d } } }",
      { ...NO_EMULATION, delay: { min: 24 * HOUR, max: 48 * HOUR } },
    ],
    [
      "{ emulation: { rounding: 2, minMessages: 50, minCount: 5, sampling: 0.1, missingDays: 0.25, errors: 1, extensions: false } }",
      {
        ...NO_EMULATION,
        rounding: 2,
        minMessages: 50,
        minCount: 5,
        sampling: 0.1,
        missingDays: 0.25,
        errors: 1,
        extensions: false,
      },
    ],
    [
      "{ emulation: { requestsPerMinute: 5, tokenLifetime: 90s, seed: 7 } }",
      { ...NO_EMULATION, requestsPerMinute: 5, tokenLifetime: 90_000, seed: "7" },
    ],
    ["{ emulation: { preset: original } }", ORIGINAL],
    ["{ emulation: { preset: original, errors: 0, seed: off } }", { ...ORIGINAL, errors: 0, seed: "off" }],
    [
      "{ emulation: { preset: original, window: off, rounding: off, requestsPerMinute: off, tokenLifetime: off } }",
      {
        ...ORIGINAL,
        window: undefined,
        rounding: undefined,
        requestsPerMinute: undefined,
        tokenLifetime: undefined,
      },
    ],
  ])("%s", async (keys, habits) => {
    expect(await emulationOf(keys)).toEqual(habits);
  });

  it.each([
    ["{ preset: fcm }", 'preset: must be "original"'],
    ["{ windows: 7d }", "windows: is not a known key"],
    ["{ window: 7 }", "window: must be off or a duration above 0 such as 7d"],
    ["{ window: 0s }", "window: must be off or a duration above 0 such as 7d"],
    ["{ delay: soon }", "delay: must be a duration such as 36h, or min and max"],
    ["{ delay: { min: 1d } }", "delay.max: is required"],
    ["{ delay: { min: 2d, max: 1d } }", "delay.min: must not be longer than max"],
    ["{ delay: { max: 1d, mean: 1h } }", "delay.mean: is not a known key"],
    ["{ rounding: 0.5 }", "rounding: must be off or a number of decimals from 0 to 10"],
    ["{ minMessages: -1 }", "minMessages: must be at least 0"],
    ["{ sampling: 0 }", "sampling: must be above 0"],
    ["{ sampling: 5% }", "sampling: must be a share from 0 to 1, such as 0.05"],
    ["{ missingDays: 2 }", "missingDays: must be a share from 0 to 1, such as 0.05"],
    ["{ errors: -0.1 }", "errors: must be a share from 0 to 1, such as 0.05"],
    ["{ requestsPerMinute: 0 }", "requestsPerMinute: must be off or a number of requests from 1"],
    ["{ tokenLifetime: 2h }", "tokenLifetime: must be off or a duration from 1s to 1h"],
    ["{ extensions: off }", "extensions: must be true or false, not a string"],
    ["{ seed: [1] }", "seed: must be a string or a number"],
  ])("rejects %s by name", async (keys, problem) => {
    const error: unknown = await emulationOf(`{ emulation: ${keys} }`).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).message).toBe(`messagingData.emulation.${problem}`);
  });
});
