import type { Day } from "./day.js";

/** A project's number in decimal, without leading zeros. It never changes. */
export type ProjectNumber = string;

/** Id and number of a project. Requests may use either (AIP-2510). */
export interface Project {
  readonly id: string;
  readonly number: ProjectNumber;
}

export const byNumber = (a: ProjectNumber, b: ProjectNumber): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

/** Returns true if a project mirrors its delivery data from an upstream service. */
export type IsMirrored = (project: ProjectNumber) => boolean;

/** Used instead of an app id, represents all apps of a project (AIP-159). */
export const ALL_APPS = "-";

/** Maximum length of app and message ids, in code points. */
export const MAX_ID_LENGTH = 256;

/** Returns true if a string is a valid app id. Lookups treat any other string as an unknown app's id. */
export function isAppId(text: string): boolean {
  // Counting code points is slow, and only needed for ids that are too long in UTF-16.
  const isShort = text.length <= MAX_ID_LENGTH || [...text].length <= MAX_ID_LENGTH;
  return text !== "" && isShort && !/[/\p{Cc}\p{Surrogate}]/u.test(text);
}

/**
 * Ids that cannot be part of a path: {@link ALL_APPS}, and dot segments, which clients remove from paths (RFC 3986
 * §5.2.4).
 */
export const UNNAMEABLE_APPS: ReadonlySet<string> = new Set([ALL_APPS, ".", ".."]);

/** Returns true if an app with this id can have delivery data. */
export const isAndroidAppId = (text: string): boolean => isAppId(text) && !UNNAMEABLE_APPS.has(text);

/** Maximum length of labels, in ASCII characters. */
export const MAX_LABEL_LENGTH = 50;

const LABEL = new RegExp(`^[a-zA-Z0-9\\-_.~%]{1,${MAX_LABEL_LENGTH}}$`);

/** Returns true if a string is a valid `AnalyticsLabel`. The empty string is not valid, because it means "no label". */
export const isLabel = (text: string): boolean => LABEL.test(text);

/** Distinct app ids and labels of events, without the empty label. */
export interface EventNames {
  readonly apps: readonly string[];
  readonly labels: readonly string[];
}

/** App ids and labels of events, each with the last day on which it occurs. */
export interface DatedNames {
  readonly apps: ReadonlyMap<string, Day>;
  readonly labels: ReadonlyMap<string, Day>;
}

/** Limits on the number of apps and labels in a project. Names on removed days do not count. */
export interface NameLimits {
  /** Maximum number of apps with events. */
  readonly maxApps: number;
  /** Maximum number of distinct labels in ACCEPTED events, without the empty label. */
  readonly maxLabels: number;
}
