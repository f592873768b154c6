import type { AndroidMirrorGapJson } from "../../../../src/gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import type { Day } from "../../../../src/model/day.js";
import { groupBy } from "../../../../src/model/group-by.js";
import { dayOfJson } from "../days/day-json.js";
import { formatInstant, longDay } from "../days/format-day.js";
import { formatCount } from "../numbers/format-number.js";

type Gap = AndroidMirrorGapJson;
type Kind = NonNullable<Gap["kind"]>;

/** What keeps entries from coming, as the beginning of a sentence that ends with a time. */
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
    return found === undefined ? [] : [obstacleSentence(text, found)];
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
  const [next] = missing.toSorted((a, b) => lastDayOf(a) - lastDayOf(b));
  if (next === undefined) return [];
  const days = lastDayOf(next) + 1 - today;
  const when = days === 1 ? "tomorrow" : `in ${formatCount(days)} days`;
  const forgets =
    next.date === undefined || next.forgottenDate === undefined
      ? ""
      : `; the original will have forgotten ${longDay(dayOfJson(next.date))} ${when}`;
  return [`${datesOf(missing, "missing")}${forgets}.`];
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

function obstacleSentence(text: string, gaps: readonly Gap[]): string {
  const [first] = gaps.toSorted((a, b) => timeOf(a) - timeOf(b));
  const problem = first?.problem === undefined ? "" : `: ${first.problem}`;
  return `${text} since ${formatInstant(first === undefined ? 0 : timeOf(first))}${problem}.`;
}

/** Says how many dates are missing or lost, and in how many apps if there are several. */
function datesOf(gaps: readonly Gap[], what: "missing" | "lost"): string {
  const apps = new Set(gaps.map(({ appId }) => appId)).size;
  const ofApps = apps > 1 ? ` in ${formatCount(apps)} apps` : "";
  return gaps.length === 1 ? `1 date is ${what}` : `${formatCount(gaps.length)} dates are ${what}${ofApps}`;
}

const lastDayOf = ({ forgottenDate }: Gap): Day =>
  forgottenDate === undefined ? Number.POSITIVE_INFINITY : dayOfJson(forgottenDate);

const timeOf = ({ startTime = "" }: Gap): number => Date.parse(startTime);
