import type { AndroidMirrorGapJson } from "../../../../src/gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import type { Day } from "../../../../src/model/day.js";
import { groupBy } from "../../../../src/model/group-by.js";
import { dayOfJson } from "../days/day-json.js";
import { formatInstant, longDay } from "../days/format-day.js";
import { formatCount } from "../numbers/format-number.js";

type Gap = AndroidMirrorGapJson;
type Kind = NonNullable<Gap["kind"]>;

/** Obstacles to further entries: beginnings of sentences that end with a time. */
const OBSTACLES: Partial<Record<Kind, string>> = {
  CREDENTIALS_REFUSED: "The original has refused the credentials of the mirror",
  ORIGINAL_UNAVAILABLE: "The original has not answered",
  FORM_CHANGED: "The original has answered in another form",
};

/**
 * Says what is missing in a mirror, in sentences: what can still be had first, then what is lost, then what keeps more from
 * coming.
 *
 * @param today the day in Los Angeles.
 */
export function gapSentences(gaps: readonly Gap[], today: Day): readonly string[] {
  const byKind = groupBy(gaps, ({ kind = "KIND_UNSPECIFIED" }) => kind);
  const [missing = [], stopped = []] = [byKind.get("MISSING_DATE"), byKind.get("APP_STOPPED")];
  const isLost = ({ forgottenDate }: Gap): boolean =>
    forgottenDate !== undefined && dayOfJson(forgottenDate) < today;
  const obstacles = Object.entries(OBSTACLES).flatMap(([kind, text]) => {
    const found = byKind.get(kind as Kind);
    return found === undefined ? [] : [obstacleSentence(text, found, today)];
  });
  return [
    ...missingSentence(
      missing.filter((gap) => !isLost(gap)),
      today,
    ),
    ...lostSentence(missing.filter(isLost)),
    ...stoppedSentence(stopped),
    ...obstacles,
  ];
}

function missingSentence(missing: readonly Gap[], today: Day): readonly string[] {
  const [next] = missing.toSorted(byForgottenDate);
  if (next === undefined) return [];
  const forgets = next.date && forgetting(dayOfJson(next.date), next, today);
  return [`${datesOf(missing, "missing")}${forgets === undefined ? "" : `; ${forgets}`}.`];
}

/** Says when the original will have forgotten a day, by the last date on which it gives it. */
function forgetting(day: Day, { forgottenDate }: Gap, today: Day): string | undefined {
  if (forgottenDate === undefined) return undefined;
  const days = dayOfJson(forgottenDate) + 1 - today;
  if (days < 1) return `the original has forgotten ${longDay(day)}`;
  const when = days === 1 ? "tomorrow" : `in ${formatCount(days)} days`;
  return `the original will have forgotten ${longDay(day)} ${when}`;
}

const lostSentence = (lost: readonly Gap[]): readonly string[] =>
  lost.length === 0
    ? []
    : [`${datesOf(lost, "lost")}: the original no longer has ${lost.length === 1 ? "it" : "them"}.`];

function stoppedSentence(stopped: readonly Gap[]): readonly string[] {
  const [first] = stopped;
  if (first === undefined) return [];
  if (stopped.length > 1) return [`${formatCount(stopped.length)} apps have had no entries of late.`];
  const last = first.date === undefined ? "of late" : `since ${longDay(dayOfJson(first.date))}`;
  return [`${first.appId} has had no entries ${last}.`];
}

function obstacleSentence(text: string, gaps: readonly Gap[], today: Day): string {
  const since = Math.min(...gaps.map(({ startTime = "" }) => Date.parse(startTime)));
  const problem = gaps.find(({ problem }) => problem !== undefined)?.problem;
  const [next] = gaps.toSorted(byForgottenDate);
  // The date is the last one with entries: the day after it is the first that is kept from coming.
  const forgets = next?.date && forgetting(dayOfJson(next.date) + 1, next, today);
  const parts = [
    `${text} since ${formatInstant(since)}`,
    forgets,
    problem && `the last attempt met ${problem}`,
  ];
  return `${parts.filter(Boolean).join("; ")}.`;
}

/** Says how many dates are missing or lost, and in how many apps if there are several. */
function datesOf(gaps: readonly Gap[], what: "missing" | "lost"): string {
  const apps = new Set(gaps.map(({ appId }) => appId)).size;
  const ofApps = apps > 1 ? ` in ${formatCount(apps)} apps` : "";
  return gaps.length === 1 ? `1 date is ${what}` : `${formatCount(gaps.length)} dates are ${what}${ofApps}`;
}

const byForgottenDate = (a: Gap, b: Gap): number => lastDayOf(a) - lastDayOf(b);

const lastDayOf = ({ forgottenDate }: Gap): Day =>
  forgottenDate === undefined ? Number.MAX_SAFE_INTEGER : dayOfJson(forgottenDate);
