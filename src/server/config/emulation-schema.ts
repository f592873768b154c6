import * as z from "zod";
import { type Emulation, NO_EMULATION, ORIGINAL } from "../../messaging-data/emulation/emulation.js";
import { HOUR_MS } from "../../model/clock.js";
import { duration } from "./config-values.js";

/**
 * Schema of an emulated behavior that can only be switched off by `off`. A preset may have switched it on.
 *
 * @param form description of the other values.
 */
function orOff<Schema extends z.ZodType>(form: string, schemaWith: (error: string) => Schema) {
  const error = `must be off or ${form}`;
  return z.union([z.literal("off"), schemaWith(error)], { error });
}

const MAX_TOKEN_LIFETIME = HOUR_MS;
const MAX_DECIMALS = 10;
const A_SHARE = "must be a share from 0 to 1, such as 0.05";

const share = z.number(A_SHARE).min(0, A_SHARE).max(1, A_SHARE);

const delay = z.union(
  [
    duration.transform((fixed) => ({ min: fixed, max: fixed })),
    z
      .strictObject({ min: duration.default(0), max: duration })
      .refine(({ min, max }) => min <= max, { path: ["min"], error: "must not be longer than max" }),
  ],
  { error: "must be a duration such as 36h, or min and max" },
);

/** Schema of `messagingData.emulation`. Starts from the preset's behaviors, if any. Single keys override them. */
export const emulationSchema = z
  .strictObject({
    preset: z.literal("original", 'must be "original"').optional(),
    seed: z
      .union([z.string(), z.number().transform(String)], { error: "must be a string or a number" })
      .optional(),
    window: orOff("a duration above 0 such as 7d", (error) =>
      duration.refine((milliseconds) => milliseconds > 0, error),
    ).optional(),
    delay: delay.optional(),
    rounding: orOff(`a number of decimals from 0 to ${MAX_DECIMALS}`, (error) =>
      z.number().int(error).min(0, error).max(MAX_DECIMALS, error),
    ).optional(),
    minMessages: z.number().int().min(0).optional(),
    minCount: z.number().int().min(0).optional(),
    sampling: share.refine((value) => value > 0, "must be above 0").optional(),
    missingDays: share.optional(),
    errors: share.optional(),
    requestsPerMinute: orOff("a number of requests from 1", (error) =>
      z.number().int(error).min(1, error),
    ).optional(),
    tokenLifetime: orOff("a duration from 1s to 1h", (error) =>
      duration.refine((milliseconds) => milliseconds >= 1_000 && milliseconds <= MAX_TOKEN_LIFETIME, error),
    ).optional(),
    extensions: z.boolean().optional(),
  })
  .transform(({ preset, ...keys }): Emulation => {
    const habits = Object.entries(keys)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, value === "off" && key !== "seed" ? undefined : value]);
    return { ...(preset === undefined ? NO_EMULATION : ORIGINAL), ...Object.fromEntries(habits) };
  });
