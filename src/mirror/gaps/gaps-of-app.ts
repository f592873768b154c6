import { AndroidMirrorGap_Kind as Kind } from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { lastListedDay, listedSince } from "../../model/day.js";
import type { AppMirror, Failure, MirrorSchedule } from "../mirror-state.js";
import type { MirrorGap } from "./mirror-gap.js";
import { missingDays } from "./missing-days.js";

/** Maximum number of missing dates to list for an app. The newest are listed. */
const MAX_DATES = 100;
/** Upstream counts as unavailable if no round has succeeded for this number of intervals. */
const MAX_INTERVALS = 2;

/** Settings of a mirror: how upstream lists days, and the schedule of rounds. */
export interface MirrorTerms {
  /** Apps to mirror. If omitted, all apps that upstream lists are mirrored. */
  readonly apps?: readonly string[] | undefined;
  readonly schedule: MirrorSchedule;
  /** Maximum time from when a day ends until upstream lists the day, in milliseconds. */
  readonly delay: number;
  /** Number of days for which upstream lists a day's data. */
  readonly windowDays: number;
}

/**
 * Finds all gaps in an app's mirror, in contract order: by kind, then newest date first. Missing dates are determined
 * as of the last successful round, because a failing upstream is a separate gap.
 *
 * @param pause failures that prevent reading any app of the project.
 * @param now time of the clock that days follow, in milliseconds since 1970.
 */
export function gapsOfApp(
  appId: string,
  app: AppMirror,
  pause: Failure | undefined,
  terms: MirrorTerms,
  now: number,
): readonly MirrorGap[] {
  const gaps = [...gapsOfDays(appId, app, terms, now), ...gapsOfAttempts(appId, app, pause, terms, now)];
  return gaps.sort((a, b) => a.kind - b.kind);
}

function gapsOfDays(appId: string, app: AppMirror, terms: MirrorTerms, now: number): MirrorGap[] {
  const { delay, windowDays } = terms;
  if (app.round === undefined) return [];
  const { missing, stopped } = missingDays(app.days, lastListedDay(Math.min(app.round, now), delay));
  const gaps = missing
    .slice(-MAX_DATES)
    .reverse()
    .map((day) => ({
      appId,
      kind: Kind.MISSING_DATE,
      day,
      expireDay: day + windowDays,
      since: listedSince(day, delay),
    }));
  if (stopped === undefined) return gaps;
  return [
    ...gaps,
    {
      appId,
      kind: Kind.NO_RECENT_DATA,
      day: stopped.after,
      expireDay: stopped.first + windowDays,
      since: listedSince(stopped.certain, delay),
    },
  ];
}

function gapsOfAttempts(
  appId: string,
  app: AppMirror,
  pause: Failure | undefined,
  { schedule, windowDays }: MirrorTerms,
  now: number,
): MirrorGap[] {
  const last = app.days.at(-1)?.[1];
  const dates = last === undefined ? {} : { day: last, expireDay: last + 1 + windowDays };
  const failure = pause ?? app.failure;
  const gapOf = (kind: Kind, { since, message }: { since: number; message?: string }): MirrorGap => ({
    appId,
    kind,
    ...dates,
    since,
    problem: message,
  });
  const found: MirrorGap[] = [];
  if (failure?.kind === "credentials") found.push(gapOf(Kind.CREDENTIALS_REJECTED, failure));
  const overdue = (app.round ?? app.since) + MAX_INTERVALS * (schedule.every + schedule.jitter);
  if (failure?.kind !== "credentials" && failure?.kind !== "form" && now > overdue)
    found.push(gapOf(Kind.ORIGINAL_UNAVAILABLE, failure ?? { since: overdue }));

  const deviation = failure?.kind === "form" ? failure : app.problem;
  if (deviation !== undefined) found.push(gapOf(Kind.SCHEMA_CHANGED, deviation));
  return found;
}
