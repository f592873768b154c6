import { Target_State as State, type Target } from "../gen/waybill/messagingdata/v1beta1/target_pb.js";
import type { EvaluatedTarget } from "../incidents/webhooks/notified-target.js";
import type { ProjectWork } from "../jobs/project-work.js";
import type { AppCounts } from "../messaging-data/jobs/app-counts.js";
import { type ListedDataParts, listedDataWork } from "../messaging-data/jobs/listed-data-work.js";
import { groupBy } from "../model/collections.js";
import { dayOfCivil } from "../model/day.js";
import type { ProjectResources } from "../registry/project-resources.js";
import type { Timed } from "../registry/resource-methods.js";
import type { TargetResults } from "./target-results.js";
import { type TargetValues, targetMessage } from "./targets.js";

/** Minimum time between two evaluations of a project on one day, and interval between checks, in milliseconds. */
const MIN_INTERVAL = 5_000;
const INTERVAL = 4_000;

export interface TargetsWorkDependencies
  extends Pick<ListedDataParts, "store" | "projects" | "lastListedDay" | "wall"> {
  readonly targets: Pick<ProjectResources<Timed<TargetValues>>, "list">;
  readonly results: Pick<TargetResults, "withResults">;
  /** Returns a number that is higher after a change of any target. */
  readonly changes: () => number;
  readonly missed: AppCounts;
  /** Called with all targets of a project after their evaluation. If it fails, the project is evaluated again. */
  readonly evaluated: (project: string, targets: readonly EvaluatedTarget[]) => Promise<void>;
}

/**
 * Evaluates all targets of a project when a new day is listed, after changes of a listed day, and after changes of
 * targets. Each process evaluates them for its own metrics.
 */
export function targetsWork(dependencies: TargetsWorkDependencies): ProjectWork {
  const { store, targets, results, changes, missed, evaluated, ...parts } = dependencies;
  return listedDataWork({
    ...parts,
    name: "targets",
    store: {
      // The number is read first. If a target changes during the run, the project is then due again.
      version: async (project, until) => `${changes()} ${await store.version(project, until)}`,
      projectsWithEntries: () => store.projectsWithEntries(),
    },
    minInterval: MIN_INTERVAL,
    interval: INTERVAL,
    run: async (project, _until, signal) => {
      const stored = await targets.list(project);
      const found = await results.withResults(project, stored.map(targetMessage), signal);
      missed.set(project, missedByApp(found));
      await evaluated(project, found.map(evaluatedTarget));
    },
  });
}

function evaluatedTarget(target: Target): EvaluatedTarget {
  const { evaluatedDate: date } = target;
  if (date === undefined) throw new Error(`${target.name} was not evaluated`);
  return { target, day: dayOfCivil(date.year, date.month, date.day) };
}

/** Returns the number of missed targets by app id. */
function missedByApp(targets: readonly Target[]): ReadonlyMap<string, number> {
  const missed = targets.filter(({ state }) => state === State.MISSED);
  const byApp = groupBy(missed, ({ appId }) => appId);
  return new Map([...byApp].map(([appId, ofApp]) => [appId, ofApp.length]));
}
