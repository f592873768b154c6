import type { AndroidMirrorGapJson } from "../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { groupBy } from "../model/collections.js";
import type { Day } from "../model/day.js";
import { dayOfJson } from "../model/day.js";

type Gap = AndroidMirrorGapJson;
type Kind = NonNullable<Gap["kind"]>;

/** The reader for whom text is formatted. */
export interface GapReader {
  /** Today in Los Angeles. */
  readonly today: Day;
  readonly day: (day: Day) => string;
  /** Formats a time. @param time milliseconds since 1970. */
  readonly time: (time: number) => string;
  readonly count: (count: number) => string;
}

/** Problems that prevent new entries, as beginnings of sentences that continue with a time. */
const OBSTACLES: Partial<Record<Kind, string>> = {
  CREDENTIALS_REJECTED: "The upstream service has rejected the mirror's credentials",
  ORIGINAL_UNAVAILABLE: "The upstream service has been unavailable",
  SCHEMA_CHANGED: "The upstream service has responded in an unknown form",
};

/**
 * Describes the gaps in a mirror in at most six sentences: missing dates that can still be fetched, lost dates, apps
 * without recent data, and problems that prevent new entries.
 */
export function gapSentences(gaps: readonly Gap[], reader: GapReader): readonly string[] {
  const byKind = groupBy(gaps, ({ kind = "KIND_UNSPECIFIED" }) => kind);
  const [missing = [], stopped = []] = [byKind.get("MISSING_DATE"), byKind.get("NO_RECENT_DATA")];
  const isLost = ({ expireDate }: Gap): boolean =>
    expireDate !== undefined && dayOfJson(expireDate) < reader.today;
  const obstacles = Object.entries(OBSTACLES).flatMap(([kind, text]) => {
    const found = byKind.get(kind as Kind);
    return found === undefined ? [] : [obstacleSentence(text, found, reader)];
  });
  return [
    ...missingSentence(
      missing.filter((gap) => !isLost(gap)),
      reader,
    ),
    ...lostSentence(missing.filter(isLost), reader),
    ...stoppedSentence(stopped, reader),
    ...obstacles,
  ];
}

function missingSentence(missing: readonly Gap[], reader: GapReader): readonly string[] {
  const next = mostUrgent(missing);
  if (next === undefined) return [];
  const expires = next.date && expiry(dayOfJson(next.date), next, reader);
  return [`${datesOf(missing, "missing", reader)}${expires === undefined ? "" : `; ${expires}`}.`];
}

/** Describes when a day expires upstream. @param day last date on which the day can still be fetched. */
function expiry(day: Day, { expireDate }: Gap, reader: GapReader): string | undefined {
  if (expireDate === undefined) return undefined;
  const days = dayOfJson(expireDate) + 1 - reader.today;
  if (days < 1) return `${reader.day(day)} has expired upstream`;
  const when = days === 1 ? "tomorrow" : `in ${reader.count(days)} days`;
  return `${reader.day(day)} expires upstream ${when}`;
}

const lostSentence = (lost: readonly Gap[], reader: GapReader): readonly string[] =>
  lost.length === 0
    ? []
    : [`${datesOf(lost, "lost", reader)}: ${lost.length === 1 ? "it has" : "they have"} expired upstream.`];

function stoppedSentence(stopped: readonly Gap[], reader: GapReader): readonly string[] {
  const [first] = stopped;
  if (first === undefined) return [];
  if (stopped.length > 1) return [`${reader.count(stopped.length)} apps have had no entries recently.`];
  const last = first.date === undefined ? "recently" : `since ${reader.day(dayOfJson(first.date))}`;
  return [`${first.appId} has had no entries ${last}.`];
}

function obstacleSentence(text: string, gaps: readonly Gap[], reader: GapReader): string {
  const since = Math.min(...gaps.map(({ startTime = "" }) => Date.parse(startTime)));
  const problem = gaps.find(({ problem }) => problem !== undefined)?.problem;
  const next = mostUrgent(gaps);
  // The date in the gap is the last one with entries. The first missing date is the day after it.
  const expires = next?.date && expiry(dayOfJson(next.date) + 1, next, reader);
  const parts = [
    `${text} since ${reader.time(since)}`,
    expires,
    problem && `the last attempt failed with ${problem}`,
  ];
  return `${parts.filter(Boolean).join("; ")}.`;
}

/** Describes the number of missing or lost dates, and the number of apps if there are several. */
function datesOf(gaps: readonly Gap[], state: "missing" | "lost", { count }: GapReader): string {
  const apps = new Set(gaps.map(({ appId }) => appId)).size;
  const ofApps = apps > 1 ? ` in ${count(apps)} apps` : "";
  return gaps.length === 1 ? `1 date is ${state}` : `${count(gaps.length)} dates are ${state}${ofApps}`;
}

/** Returns the gap that expires first. */
const mostUrgent = (gaps: readonly Gap[]): Gap | undefined =>
  gaps.toSorted((a, b) => expireDay(a) - expireDay(b))[0];

const expireDay = ({ expireDate }: Gap): Day =>
  expireDate === undefined ? Number.MAX_SAFE_INTEGER : dayOfJson(expireDate);
