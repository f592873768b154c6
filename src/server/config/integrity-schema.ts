import * as z from "zod";
import { filePath } from "../../control/config-parts.js";
import { DAY_MS } from "../../model/clock.js";
import { baseUrl, duration } from "./config-values.js";

/** Issuer of the tokens from Google's App Check. Tests with unmodified Admin SDKs need this issuer. */
const GOOGLE_ISSUER = "https://firebaseappcheck.googleapis.com";

const requests = z.number().int().min(1);
const attestation = z.strictObject({
  requestsPerMinute: requests.default(300),
  requestsPerMinuteOfApp: requests.default(60_000),
  rootFile: filePath.optional(),
});

const tokens = z
  .strictObject({
    issuer: baseUrl.optional(),
    rotation: duration
      .refine((value) => value >= DAY_MS && value <= 366 * DAY_MS, "must be from 1d to 366d")
      .default(30 * DAY_MS),
    emulation: z.boolean().default(false),
  })
  .refine(({ issuer, emulation }) => emulation || issuer !== GOOGLE_ISSUER, {
    path: ["issuer"],
    message: "must not be the issuer of another service; for tests, set integrity.tokens.emulation",
  });

export const integritySchema = z.strictObject({
  attestation: attestation.prefault({}),
  tokens: tokens.prefault({}),
});
