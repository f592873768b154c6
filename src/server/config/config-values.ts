import * as z from "zod";
import { isHost } from "../../http/request-head.js";
import { parseEventTime } from "../../messaging-data/events/event-time.js";
import { DAY_MS, FIRST_INSTANT, HOUR_MS, LAST_INSTANT, MINUTE_MS } from "../../model/clock.js";
import { parseDay } from "../../model/day.js";
import { isAndroidAppId } from "../../model/names.js";
import { isLoopback } from "../console/loopback.js";

/** Schema of a TCP port. With 0, the system chooses a free port. */
export const port = z.number().int().min(0).max(65_535).meta({ title: "port" });

/** Schema of an app id. */
export const appId = z
  .string()
  .refine(
    isAndroidAppId,
    'must have 1 to 256 characters, no slash and no control characters, and not be "-", "." or ".."',
  );

const BAD_DURATION = "must be a duration such as 90s, 30m or 1h";

/** Schema of a duration, such as `90s`. The result is in milliseconds. */
export const duration = z
  .string({ error: ({ input }) => (input === undefined ? undefined : BAD_DURATION) })
  .meta({ title: "duration" })
  .transform((text, context) => {
    const milliseconds = parseDuration(text);
    if (milliseconds !== undefined) return milliseconds;
    context.addIssue(BAD_DURATION);
    return z.NEVER;
  });

/** Schema of an RFC 3339 timestamp. The result is in milliseconds since the Unix epoch. */
export const instant = z
  .string()
  .meta({ title: "timestamp" })
  .transform((text, context) => {
    const bytes = Buffer.from(text);
    const parsed = parseEventTime(bytes, 0, bytes.length);
    if (parsed >= FIRST_INSTANT && parsed <= LAST_INSTANT) return parsed;
    context.addIssue('must be a time of the years 1970 to 9999, such as "2026-11-20T12:00:00Z"');
    return z.NEVER;
  });

/** Schema of an ISO 8601 date. The result is a day. */
export const day = z
  .string()
  .meta({ title: "date" })
  .transform((text, context) => {
    const parsed = parseDay(text);
    if (parsed !== undefined) return parsed;
    context.addIssue('must be a date of the years 1 to 9999, such as "1970-01-31"');
    return z.NEVER;
  });

export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

export const httpUrl = z
  .string()
  .meta({ title: "URL" })
  .refine((text) => /^https?:$/.test(String(parseUrl(text)?.protocol)), "must be an http or https URL");

/** Returns true for an https URL, and for an http URL of this machine. */
export const isSecure = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && isLoopback(hostname));

/** Schema of a base address to which paths are appended. The result has no trailing slash. */
export const baseUrl = httpUrl
  .refine((text) => !/[?#]/.test(text), "must be a base address such as https://example.com")
  .transform((text) => text.replace(/\/+$/, ""));

/** Schema of an origin, in the form in which browsers send it in `Origin`. */
export const origin = z
  .string()
  .meta({ title: "origin" })
  .refine((text) => parseUrl(text)?.origin === text, "must be an origin such as https://example.com");

/** Schema of a host name without a port, as in `Host`. */
export const hostName = z
  .string()
  .meta({ title: "host" })
  .refine(
    (text) => isHost(text) && !/\*|:\d*$/.test(text),
    "must be a host without a port, such as waybill.internal",
  );

/** The config cannot be used. Each line of the message has a config key and its problem. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const UNITS = { ms: 1, s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

/** Maximum `google.protobuf.Duration`, about 10,000 years, in milliseconds. */
const MAX_MS = 315_576_000_000_000;

/**
 * Parses a duration such as `90s`, `30m`, `1h` or `1h30m`.
 *
 * @returns whole milliseconds, or undefined if the string is not a duration.
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * UNITS[unit as keyof typeof UNITS];
  }
  return total <= MAX_MS ? Math.round(total) : undefined;
}
