import type { AndroidMirrorGapJson } from "../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { groupBy } from "../model/collections.js";
import type { Day } from "../model/day.js";
import { dayOfJson } from "../model/day.js";

type Gap = AndroidMirrorGapJson;
type Kind = NonNullable<Gap["kind"]>;

/** The reader of sentences about gaps. */
export interface GapReader {
  /** The day in Los Angeles. */
  readonly today: Day;
  /** Writes a day as the reader expects it. */
  readonly day: (day: Day) => string;
  /** Writes a time, in milliseconds since 1970. */
  readonly time: (time: number) => string;
  readonly count: (count: number) => string;
}

/** Obstacles to further entries: beginnings of sentences that end with a time. */
const OBSTACLES: Partial<Record<Kind, string>> = {
  CREDENTIALS_REJECTED: "The original has refused the credentials of the mirror",
  ORIGINAL_UNAVAILABLE: "The original has not answered",
  SCHEMA_CHANGED: "The original has answered in another form",
};

/**
 * Says what is missing in a mirror, in at most six sentences: what can still be had first, then what is lost, then what
 * keeps more from coming.
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
  const forgets = next.date && forgetting(dayOfJson(next.date), next, reader);
  return [`${datesOf(missing, "missing", reader)}${forgets === undefined ? "" : `; ${forgets}`}.`];
}

/** Says when the original will have forgotten a day, by the last date on which it gives it. */
function forgetting(day: Day, { expireDate }: Gap, reader: GapReader): string | undefined {
  if (expireDate === undefined) return undefined;
  const days = dayOfJson(expireDate) + 1 - reader.today;
  if (days < 1) return `the original has forgotten ${reader.day(day)}`;
  const when = days === 1 ? "tomorrow" : `in ${reader.count(days)} days`;
  return `the original will have forgotten ${reader.day(day)} ${when}`;
}

const lostSentence = (lost: readonly Gap[], reader: GapReader): readonly string[] =>
  lost.length === 0
    ? []
    : [`${datesOf(lost, "lost", reader)}: the original no longer has ${lost.length === 1 ? "it" : "them"}.`];

function stoppedSentence(stopped: readonly Gap[], reader: GapReader): readonly string[] {
  const [first] = stopped;
  if (first === undefined) return [];
  if (stopped.length > 1) return [`${reader.count(stopped.length)} apps have had no entries of late.`];
  const last = first.date === undefined ? "of late" : `since ${reader.day(dayOfJson(first.date))}`;
  return [`${first.appId} has had no entries ${last}.`];
}

function obstacleSentence(text: string, gaps: readonly Gap[], reader: GapReader): string {
  const since = Math.min(...gaps.map(({ startTime = "" }) => Date.parse(startTime)));
  const problem = gaps.find(({ problem }) => problem !== undefined)?.problem;
  const next = mostUrgent(gaps);
  // The date is the last one with entries: the day after it is the first that is kept from coming.
  const forgets = next?.date && forgetting(dayOfJson(next.date) + 1, next, reader);
  const parts = [
    `${text} since ${reader.time(since)}`,
    forgets,
    problem && `the last attempt met ${problem}`,
  ];
  return `${parts.filter(Boolean).join("; ")}.`;
}

/** Says how many dates are missing or lost, and in how many apps if there are several. */
function datesOf(gaps: readonly Gap[], what: "missing" | "lost", { count }: GapReader): string {
  const apps = new Set(gaps.map(({ appId }) => appId)).size;
  const ofApps = apps > 1 ? ` in ${count(apps)} apps` : "";
  return gaps.length === 1 ? `1 date is ${what}` : `${count(gaps.length)} dates are ${what}${ofApps}`;
}

/** The gap whose date the original forgets first. */
const mostUrgent = (gaps: readonly Gap[]): Gap | undefined =>
  gaps.toSorted((a, b) => expireDay(a) - expireDay(b))[0];

const expireDay = ({ expireDate }: Gap): Day =>
  expireDate === undefined ? Number.MAX_SAFE_INTEGER : dayOfJson(expireDate);
