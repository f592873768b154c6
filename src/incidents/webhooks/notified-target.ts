import { type JsonValue, toJson } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import {
  Target_State as State,
  type Target,
  TargetSchema,
} from "../../gen/waybill/messagingdata/v1beta1/target_pb.js";
import { type Day, dayOf } from "../../model/day.js";
import type { Project } from "../../model/names.js";
import {
  isDue,
  messageIdOf,
  messageParts,
  type NotifiedState,
  type WebhookMessage,
} from "./notified-incident.js";

/** State of a target, as in message types. */
export type TargetState = "missed" | "met";

/** A target with its delivery state for a webhook. */
export interface NotifiedTarget extends NotifiedState<TargetState> {
  /** Resource name. */
  readonly name: string;
  /** Evaluated day on which the state last changed. */
  readonly day: Day;
  /** The target on that day, in the API's format. */
  readonly target: JsonValue;
}

/** Targets of a project with their delivery state: the missed ones, and ones that were met again recently. */
export interface NotifiedTargets {
  readonly targets: readonly NotifiedTarget[];
}

/** A target with its result on a day. */
export interface EvaluatedTarget {
  readonly target: Target;
  readonly day: Day;
}

export interface TargetsEvaluation {
  /** All targets of the project. */
  readonly evaluated: readonly EvaluatedTarget[];
  /** Time in milliseconds since the Unix epoch. */
  readonly now: number;
  readonly newKey: () => string;
}

/**
 * Updates the known targets of a webhook after an evaluation of their project. Each target has at most one message about
 * a day, and none about days before its creation. A repeated evaluation changes nothing.
 */
export function reconcileTargets(
  before: NotifiedTargets | undefined,
  { evaluated, now, newKey }: TargetsEvaluation,
): NotifiedTargets | undefined {
  const known = new Map(before?.targets.map((row) => [row.name, row]));
  const targets = evaluated.flatMap((found): readonly NotifiedTarget[] => {
    const row = known.get(found.target.name);
    const state = stateOf(found);
    if (row === undefined)
      return state === "missed" ? [{ ...changed(found, "missed", now), key: newKey(), change: 1 }] : [];
    return reconcileOne(row, found, state, now);
  });
  return before === undefined && targets.length === 0 ? undefined : { targets };
}

/** Returns nothing to drop a target. */
function reconcileOne(
  row: NotifiedTarget,
  found: EvaluatedTarget,
  state: TargetState | undefined,
  now: number,
): readonly NotifiedTarget[] {
  const isLater = found.day > row.day;
  // The day's message was sent. A day before the known one has no new information.
  if (!isLater && (found.day < row.day || !isDue(row))) return [row];
  if (state === undefined || state === row.state)
    return isLater && row.state === "met" && !isDue(row) ? [] : [row];
  const { key, delivered, isUncertain } = row;
  const next = {
    ...changed(found, state, now),
    key,
    change: row.change + 1,
    ...(delivered !== undefined && { delivered }),
    ...(isUncertain === true && { isUncertain }),
  };
  // The receiver does not know that the target was missed.
  const isUnknown = state === "met" && delivered === undefined && isUncertain !== true;
  return [isUnknown ? { ...next, skipped: "met" } : next];
}

const changed = ({ target, day }: EvaluatedTarget, state: TargetState, since: number) => ({
  name: target.name,
  day,
  target: toJson(TargetSchema, target),
  state,
  since,
});

/** Returns `undefined` if the result has no effect: on days before the creation, and with too few messages. */
function stateOf({ target: { state, createTime }, day }: EvaluatedTarget): TargetState | undefined {
  if (createTime === undefined || day < dayOf(timestampMs(createTime))) return undefined;
  if (state === State.MISSED) return "missed";
  return state === State.MET ? "met" : undefined;
}

/** Returns the message about a state of a target. The project and the target have the same format as in the API. */
export function targetWebhookMessage(to: Project, known: NotifiedTarget): WebhookMessage {
  const { timestamp, project } = messageParts(to, known);
  const id = known.name.slice(known.name.lastIndexOf("/") + 1);
  const body = { type: `target.${known.state}`, timestamp, data: { id, project, target: known.target } };
  return { id: messageIdOf(known), body: JSON.stringify(body) };
}
