import * as z from "zod";
import { filePath, nonEmpty } from "../../control/config-parts.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../model/clock.js";
import { appId, baseUrl, duration, httpUrl, isSecure, parseUrl } from "./config-values.js";

const secure = (text: string): boolean => {
  const url = parseUrl(text);
  return url === undefined || (isSecure(url) && url.username === "" && url.password === "");
};
/** The default jitter is the interval divided by this number. */
const JITTERS = 24;

/** A token is sent to this address, so it must be encrypted. */
const SECURE = "must be an https URL without credentials (http only for this machine)";

const schedule = z
  .strictObject({
    every: duration
      .refine((value) => value >= MINUTE_MS && value <= DAY_MS, "must be from 1m to 1d")
      .default(6 * HOUR_MS),
    jitter: duration.optional(),
  })
  .refine(({ every, jitter = 0 }) => jitter <= every, {
    path: ["jitter"],
    message: "must not be longer than every",
  })
  .transform(({ every, jitter = every / JITTERS }) => ({ every, jitter }));

/** Schema of a mirror: a copy of the delivery data that another service has about a project. */
const mirror = z
  .strictObject({
    url: baseUrl.refine(secure, SECURE),
    project: nonEmpty.optional(),
    apps: z
      .array(appId)
      .min(1, "must name an app")
      .refine((apps) => new Set(apps).size === apps.length, "must not name an app twice")
      .optional(),
    appsUrl: httpUrl.refine(secure, SECURE).optional(),
    credentialsFile: filePath.optional(),
    scope: nonEmpty.default("https://www.googleapis.com/auth/cloud-platform"),
    schedule: schedule.prefault({}),
    window: duration
      .refine((value) => value >= DAY_MS && value % DAY_MS === 0, 'must be whole days, such as "7d"')
      .default(7 * DAY_MS),
    delay: duration.default(5 * DAY_MS),
  })
  .refine(({ apps, appsUrl }) => apps === undefined || appsUrl === undefined, {
    path: ["appsUrl"],
    message: "cannot be combined with apps",
  })
  .refine(({ window, delay }) => delay < window, { path: ["delay"], message: "must be shorter than window" });

/** Config of a mirror. Durations are in milliseconds. */
export type MirrorKeys = z.output<typeof mirror>;

/** Schema of a project's delivery data source. */
export const deliveryDataSource = z.discriminatedUnion(
  "source",
  [z.strictObject({ source: z.literal("events") }), z.strictObject({ source: z.literal("mirror"), mirror })],
  { error: ({ input }) => (input === undefined ? undefined : 'must be "events" or "mirror"') },
);
