import { create } from "@bufbuild/protobuf";
import { DateSchema } from "../gen/google/type/date_pb.js";
import { Target_State as State, type Target } from "../gen/waybill/messagingdata/v1beta1/target_pb.js";
import { mirroredDays, type ProjectDays } from "../incidents/list/project-days.js";
import { groupBy } from "../model/collections.js";
import { civilDate, type Day } from "../model/day.js";
import type { IsMirrored, ProjectNumber } from "../model/names.js";
import type { DeliveryDataStore, EntryFilter } from "../store/delivery-data-store.js";
import { type Messages, messageSums } from "./message-sums.js";

/** Minimum number of accepted messages on an evaluated day. With fewer, the share depends too much on chance. */
const MIN_TARGET_MESSAGES = 20;

const NO_MESSAGES: Messages = { accepted: 0, delivered: 0 };

export interface TargetResultsDependencies {
  readonly store: Pick<DeliveryDataStore, "sumEntries">;
  readonly days: Pick<ProjectDays, "of">;
  readonly isMirrored: IsMirrored;
  /** Returns the last listed day. */
  readonly lastListedDay: () => Day;
}

/** Evaluates targets on the last complete day, which is also the last day on which incidents are evaluated. */
export class TargetResults {
  readonly #dependencies: TargetResultsDependencies;

  constructor(dependencies: TargetResultsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Adds the results to targets of a project.
   *
   * @throws StoreUnavailableError if the store cannot be reached; the reason of `signal`.
   */
  async withResults(
    project: ProjectNumber,
    targets: readonly Target[],
    signal: AbortSignal,
  ): Promise<readonly Target[]> {
    if (targets.length === 0) return targets;
    const { days, isMirrored, lastListedDay } = this.#dependencies;
    const until = lastListedDay();
    const { lastDay } = isMirrored(project) ? mirroredDays(until) : await days.of({ project, until }, signal);
    const messages = new Map<Target, Messages>();
    for (const [appId, ofApp] of groupBy(targets, (target) => target.appId)) {
      const found = await this.#messagesOf(project, appId, lastDay, ofApp, signal);
      for (const target of ofApp) messages.set(target, found.get(target.analyticsLabel) ?? NO_MESSAGES);
    }
    const evaluatedDate = create(DateSchema, civilDate(lastDay));
    return targets.map((target) => ({
      ...target,
      evaluatedDate,
      ...resultOf(target, messages.get(target) ?? NO_MESSAGES),
    }));
  }

  /** Returns the messages by label on a day; of the whole app for `undefined`. */
  async #messagesOf(
    project: ProjectNumber,
    appId: string,
    day: Day,
    targets: readonly Target[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string | undefined, Messages>> {
    const labels = targets.flatMap(({ analyticsLabel }) => analyticsLabel ?? []);
    const onDay: EntryFilter = { kind: "day", comparison: "=", day };
    const found = new Map<string | undefined, Messages>();
    const read = async (filter: EntryFilter, byLabel: boolean): Promise<void> => {
      const dimensions = new Set(byLabel ? (["label"] as const) : []);
      const query = { project, appId, until: day, filter, groupBy: dimensions, limit: targets.length };
      const sums = messageSums(await this.#dependencies.store.sumEntries(query, signal));
      for (const { label, accepted, delivered } of sums) found.set(label, { accepted, delivered });
    };
    if (labels.length < targets.length) await read(onDay, false);
    if (labels.length > 0) {
      const operands = labels.map((label): EntryFilter => ({ kind: "label", comparison: "=", label }));
      await read({ kind: "and", operands: [onDay, { kind: "or", operands }] }, true);
    }
    return found;
  }
}

function resultOf(
  { deliveredPercent }: Pick<Target, "deliveredPercent">,
  { accepted, delivered }: Messages,
): Pick<Target, "state" | "observedPercent" | "acceptedMessageCount"> {
  const observedPercent = accepted === 0 ? 0 : (100 * delivered) / accepted;
  const reached = observedPercent >= deliveredPercent ? State.MET : State.MISSED;
  const state = accepted < MIN_TARGET_MESSAGES ? State.TOO_FEW_MESSAGES : reached;
  return { state, observedPercent, acceptedMessageCount: BigInt(accepted) };
}

/** Returns the days that missed a target, in ascending order. */
export const missedDays = (
  target: Pick<Target, "deliveredPercent">,
  days: readonly (Messages & { readonly day: Day })[],
): readonly Day[] =>
  days
    .filter((messages) => resultOf(target, messages).state === State.MISSED)
    .map(({ day }) => day)
    .sort((a, b) => a - b);
