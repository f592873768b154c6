import type { TargetJson } from "#src/gen/waybill/messagingdata/v1beta1/target_pb.js";
import { type Day, dayOfJson } from "#src/model/day.js";
import { longDay } from "../days/format-day.js";
import { formatCount, formatPercent } from "../numbers/format-number.js";

/** Permission to create, change and delete targets. */
export const CHANGE_TARGETS = "fcmdata.targets.update";

/** Result of a target on its evaluated day, the worst first. */
const RESULTS = ["MISSED", "TOO_FEW_MESSAGES", "MET"] as const;

export type TargetResult = (typeof RESULTS)[number];

/** Results in one or a few words. */
export const RESULT_TITLES: Readonly<Record<TargetResult, string>> = {
  MISSED: "Missed",
  TOO_FEW_MESSAGES: "Too few messages",
  MET: "Met",
};

/** The messages that a target is about. */
export interface TargetScope {
  readonly app: string;
  /** Empty for messages without a label; undefined for the whole app. */
  readonly label: string | undefined;
}

/** A delivered share that an app or label must reach each day. */
export interface Target extends TargetScope {
  readonly name: string;
  readonly etag: string;
  /** In percent of accepted messages. */
  readonly delivered: number;
  /** Undefined if the service did not evaluate the target. */
  readonly result: TargetResult | undefined;
  /** The result in a sentence, with its day. Empty if the service did not evaluate the target. */
  readonly explanation: string;
}

export function targetOf(json: TargetJson): Target {
  const { name = "", etag = "", appId = "", analyticsLabel, deliveredPercent, state, evaluatedDate } = json;
  const result = RESULTS.find((each) => each === state);
  return {
    name,
    etag,
    app: appId,
    label: analyticsLabel,
    delivered: Number(deliveredPercent),
    result,
    explanation:
      result === undefined || evaluatedDate === undefined
        ? ""
        : explanationOf(json, result, dayOfJson(evaluatedDate)),
  };
}

function explanationOf(json: TargetJson, result: TargetResult, day: Day): string {
  // The service omits zeros.
  const { observedPercent = 0, acceptedMessageCount = "0" } = json;
  const messages = `${formatCount(Number(acceptedMessageCount))} messages on ${longDay(day)}`;
  return result === "TOO_FEW_MESSAGES"
    ? `Only ${messages}: too few for a reliable share.`
    : `${formatPercent(Number(observedPercent))} delivered of ${messages}.`;
}

/** Rank of a target's result, the worst first. Undefined without a target or result. */
export const resultRank = (target: Target | undefined): number | undefined =>
  target?.result && RESULTS.indexOf(target.result);

/** Returns the scope of targets about messages with some labels. Undefined for several labels: no target is about them. */
export function targetScopeOf({
  app,
  labels,
}: {
  readonly app: string;
  readonly labels: readonly string[] | undefined;
}): TargetScope | undefined {
  const [label, ...more] = labels ?? [];
  return more.length > 0 ? undefined : { app, label };
}

/** Returns the target of exactly some messages. */
export const targetFor = (targets: readonly Target[], scope: TargetScope | undefined): Target | undefined =>
  targets.find(({ app, label }) => app === scope?.app && label === scope.label);
