import { ApiError } from "../../api/api-error.js";
import { DeliveryCountsSchema } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { Budget, type Release } from "../../limits/budget.js";
import { FairSlots } from "../../limits/fair-slots.js";
import {
  MAX_ALL_WAITING,
  MAX_EVALUATED_APPS,
  MAX_EVALUATED_DAYS,
  MAX_EVALUATED_LABELS,
  MAX_EVALUATING_CALLS,
  MAX_EVALUATIONS,
  MAX_WAIT_MS,
  MAX_WAITING,
} from "../../limits/limits.js";
import { inSteps } from "../../limits/pacing.js";
import { VersionedCache } from "../../messaging-data/delivery-data/versioned-cache.js";
import type { Day } from "../../model/day.js";
import {
  COUNTS,
  type CountName,
  type CountsQuery,
  type DeliveryDataStore,
  type GroupColumns,
  type LabelHistory,
} from "../../store/delivery-data-store.js";
import { type DailyCounts, OUTCOMES, withoutEmptyDays } from "../detection/daily-counts.js";
import { detectIncidents } from "../detection/detect-incidents.js";
import { type AppIncident, byPlace } from "./app-incident.js";

const MAX_BYTES = 32 * 1024 * 1024;
const BYTES_OF_INCIDENT = 512;

/** The counts that are evaluated: the accepted messages, then {@link OUTCOMES}. */
const READ: readonly CountName[] = [
  "count_messages_accepted",
  ...OUTCOMES.map((outcome) => DeliveryCountsSchema.field[outcome].name as CountName),
];

/** The apps whose incidents are asked for. */
export interface EvaluatedApps {
  /** Project number, in decimal. */
  readonly project: string;
  /** Missing for all apps of the project. */
  readonly appId?: string;
  /** Last day that is listed. */
  readonly until: Day;
}

/** The part of a store that {@link AppIncidents} reads. */
export type EvaluatedStore = Pick<
  DeliveryDataStore,
  "version" | "listApps" | "sumEntries" | "readHistories" | "digestCounts"
>;

/** The incidents of an app, or of all apps of a project. */
interface Found {
  readonly incidents: readonly AppIncident[];
  /** Of the counts of the app that was evaluated. */
  readonly digest?: string;
}

/** Finds the incidents of apps, in turns, and keeps them until the days that they were found in change. */
export class AppIncidents {
  readonly #store: EvaluatedStore;
  readonly #kept: VersionedCache<Found>;
  readonly #turns = new EvaluationSlots();

  constructor(store: EvaluatedStore) {
    this.#store = store;
    this.#kept = new VersionedCache<Found>(store, {
      maxBytes: MAX_BYTES,
      bytesOf: ({ incidents }) => BYTES_OF_INCIDENT * incidents.length,
    });
  }

  /**
   * Returns the incidents of an app, or of all apps of a project, each evaluated by itself, in the order of the list.
   *
   * @param principal who asks; missing for a job, which asks for one app after the other and waits as long as it takes.
   * @throws ApiError `TOO_MANY_APPS`; NoSlotError; StoreUnavailableError if the store cannot be reached; the reason of
   * `signal`.
   */
  of(apps: EvaluatedApps, signal: AbortSignal, principal?: string): Promise<readonly AppIncident[]> {
    const maxWaitMs = principal === undefined ? Number.POSITIVE_INFINITY : MAX_WAIT_MS;
    return this.#of(apps, signal, maxWaitMs, principal);
  }

  /** @param maxWaitMs maximum wait for each slot that the work begins with, in milliseconds. */
  async #of(
    apps: EvaluatedApps,
    signal: AbortSignal,
    maxWaitMs: number,
    principal?: string,
  ): Promise<readonly AppIncident[]> {
    const { project, appId } = apps;
    const turns: Release[] = [];
    const turn = async (): Promise<void> => {
      if (principal !== undefined) {
        turns.push(await this.#turns.ofCall(principal, appId === undefined, signal));
      }
      turns.push(await this.#turns.ofApp(project, signal, maxWaitMs));
    };
    try {
      const { incidents } = await this.#kept.get(apps, [appId ?? null], turn, (outdated) =>
        appId === undefined
          ? this.#ofAll(apps, signal, () => turns.pop()?.())
          : this.#ofOne({ ...apps, appId }, signal, outdated),
      );
      return incidents;
    } finally {
      for (const end of turns) end();
    }
  }

  /** @param endTurn ends the turn of the project, which each app needs for itself. */
  async #ofAll({ project, until }: EvaluatedApps, signal: AbortSignal, endTurn: Release): Promise<Found> {
    const query = { project, until, limit: MAX_EVALUATED_APPS + 1 };
    const apps = await this.#store.listApps(query, signal).finally(endTurn);
    if (apps.length > MAX_EVALUATED_APPS) throw tooManyApps();
    const found: AppIncident[] = [];
    for (const { appId } of apps) {
      for (const incident of await this.#of({ project, appId, until }, signal, MAX_WAIT_MS))
        found.push(incident);
    }
    return { incidents: found.sort(byPlace) };
  }

  /** @param outdated what was found before a day of the project was published, perhaps for other apps alone. */
  async #ofOne(
    { project, appId, until }: Required<EvaluatedApps>,
    signal: AbortSignal,
    outdated: Found | undefined,
  ): Promise<Found> {
    const query = { project, appId, since: until - MAX_EVALUATED_DAYS + 1, until, counts: READ };
    const digest = await this.#store.digestCounts(query, signal);
    if (digest === outdated?.digest) return outdated;
    const [whole, labels] = await this.#read(query, signal);
    const found = await inSteps(detectIncidents(whole, labels, until), signal);
    return { incidents: found.map((incident) => ({ ...incident, appId })).sort(byPlace), digest };
  }

  async #read(
    query: CountsQuery,
    signal: AbortSignal,
  ): Promise<readonly [whole: DailyCounts, labels: ReadonlyMap<string, DailyCounts>]> {
    const { project, appId, since, until } = query;
    const sums = await this.#store.sumEntries(
      {
        project,
        appId,
        until,
        filter: { kind: "day", comparison: ">=", day: since },
        groupBy: new Set(["day"]),
        limit: MAX_EVALUATED_DAYS,
      },
      signal,
    );
    const histories = await this.#store.readHistories({ ...query, labels: MAX_EVALUATED_LABELS }, signal);
    return [ofDays(sums), new Map(histories.map((history) => [history.label, ofLabel(history)]))];
  }
}

const ofLabel = ({ days, counts: [accepted = new Float64Array(), ...outcomes] }: LabelHistory): DailyCounts =>
  withoutEmptyDays({ days, accepted, outcomes });

/** @param sums by day, the newest first. */
function ofDays(sums: readonly GroupColumns[]): DailyCounts {
  const days = Int32Array.from(sums.flatMap((batch) => Array.from(batch.days ?? []))).reverse();
  const columnOf = (name: CountName): Float64Array => {
    const index = COUNTS.indexOf(name);
    return Float64Array.from(sums.flatMap(({ counts }) => Array.from(counts[index] ?? []))).reverse();
  };
  const [accepted = new Float64Array(), ...outcomes] = READ.map(columnOf);
  return withoutEmptyDays({ days, accepted, outcomes });
}

const tooManyApps = (): ApiError =>
  ApiError.invalidArgument(
    "TOO_MANY_APPS",
    "parent",
    `the project has more than ${MAX_EVALUATED_APPS.toLocaleString("en")} apps; ask for one app after the other`,
  );

/**
 * Slots for evaluations of apps. Responses have their own slots: no page waits for an evaluation. A call for all apps of a project,
 * which may take minutes, waits for a slot for each of them.
 */
export class EvaluationSlots {
  readonly #placesOfCalls = new Budget({ total: Number.POSITIVE_INFINITY, each: MAX_EVALUATING_CALLS });
  readonly #placesOfApps = new Budget({ total: MAX_EVALUATIONS });
  readonly #calls = new FairSlots((line) => this.#placesOfCalls.take(line), {
    total: MAX_ALL_WAITING,
    each: MAX_WAITING,
  });
  /** Whoever waits here has the turn of a call, or is the job: there are no more than that. */
  readonly #apps = new FairSlots((project) => this.#placesOfApps.take(project), {
    total: Number.POSITIVE_INFINITY,
    each: Number.POSITIVE_INFINITY,
  });

  /**
   * Waits until no other call of the principal has apps evaluated. Calls for all apps do not hold up those for one.
   *
   * @returns ends the turn.
   * @throws NoSlotError, or the reason of `signal`.
   */
  ofCall(principal: string, isForAll: boolean, signal: AbortSignal): Promise<Release> {
    return this.#calls.take(JSON.stringify([principal, isForAll]), signal);
  }

  /**
   * Waits for the turn of a project at one app. In a project, the first to ask is the first to have its turn: principals
   * take turns because each has one call that asks.
   *
   * @param maxMs maximum wait, in milliseconds; infinite for the job.
   * @returns ends the turn.
   * @throws WaitTimeoutError, or the reason of `signal`.
   */
  ofApp(project: string, signal: AbortSignal, maxMs: number): Promise<Release> {
    return this.#apps.take(project, signal, maxMs);
  }
}
