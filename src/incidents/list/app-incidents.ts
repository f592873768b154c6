import { ApiError } from "../../api/api-error.js";
import { DeliveryCountsSchema } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { Budget, type Release } from "../../limits/budget.js";
import {
  MAX_EVALUATED_APPS,
  MAX_EVALUATED_DAYS,
  MAX_EVALUATED_LABELS,
  MAX_EVALUATING_CALLS,
  MAX_EVALUATIONS,
} from "../../limits/data-limits.js";
import { FairSlots } from "../../limits/fair-slots.js";
import { inSteps } from "../../limits/pacing.js";
import { MAX_ALL_WAITING, MAX_WAIT_MS, MAX_WAITING } from "../../limits/request-limits.js";
import { VersionedCache } from "../../messaging-data/delivery-data/versioned-cache.js";
import type { Day } from "../../model/day.js";
import type { IsMirrored, ProjectNumber } from "../../model/names.js";
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
import { detectVolumeIncidents } from "../volume/detect-volume-incidents.js";
import { type AppIncident, byPlace } from "./app-incident.js";
import { mirroredDays, ProjectDays } from "./project-days.js";
import { withoutRepeatedSilences } from "./project-silences.js";

const MAX_BYTES = 32 * 1024 * 1024;
const BYTES_OF_INCIDENT = 512;

/** Evaluated counts: the accepted messages, then {@link OUTCOMES}. */
const READ: readonly CountName[] = [
  "count_messages_accepted",
  ...OUTCOMES.map((outcome) => DeliveryCountsSchema.field[outcome].name as CountName),
];

/** One app, or all apps of a project. */
export interface EvaluatedApps {
  readonly project: ProjectNumber;
  /** App id; omitted for all apps of the project. */
  readonly appId?: string;
  /** Last listed day. */
  readonly until: Day;
}

/** Store methods that {@link AppIncidents} calls. */
export type EvaluatedStore = Pick<
  DeliveryDataStore,
  "version" | "listApps" | "sumEntries" | "readHistories" | "digestCounts"
>;

/** Incidents of an app, or of all apps of a project. */
interface Found {
  readonly incidents: readonly AppIncident[];
  /** Digest of the counts that the incidents were computed from. Omitted for all apps. */
  readonly digest?: string;
}

/** Finds incidents of apps, with fair slots, and caches them until the days that they were computed from change. */
export class AppIncidents {
  readonly #store: EvaluatedStore;
  readonly #kept: VersionedCache<Found>;
  readonly #days: ProjectDays;
  readonly #isMirrored: IsMirrored;
  readonly #slots = new EvaluationSlots();

  /**
   * @param isMirrored returns true for a project that mirrors another service: its missing entries are gaps.
   * @param days cache of the evaluated days, which others may share.
   */
  constructor(store: EvaluatedStore, isMirrored: IsMirrored, days = new ProjectDays(store)) {
    this.#store = store;
    this.#isMirrored = isMirrored;
    this.#days = days;
    this.#kept = new VersionedCache<Found>(store, {
      maxBytes: MAX_BYTES,
      bytesOf: ({ incidents }) => BYTES_OF_INCIDENT * incidents.length,
    });
  }

  /**
   * Returns incidents of an app, or of all apps of a project (each evaluated separately), in list order.
   *
   * @param principal the caller. Omitted for the job, which evaluates one app at a time and waits without a limit.
   * @throws ApiError `TOO_MANY_APPS`; NoSlotError; StoreUnavailableError if the store cannot be reached; the reason of
   *   `signal`.
   */
  of(apps: EvaluatedApps, signal: AbortSignal, principal?: string): Promise<readonly AppIncident[]> {
    const maxWaitMs = principal === undefined ? Number.POSITIVE_INFINITY : MAX_WAIT_MS;
    return this.#of(apps, signal, maxWaitMs, principal);
  }

  /** @param maxWaitMs maximum wait for each slot, in milliseconds. */
  async #of(
    apps: EvaluatedApps,
    signal: AbortSignal,
    maxWaitMs: number,
    principal?: string,
  ): Promise<readonly AppIncident[]> {
    const { project, appId } = apps;
    const slots: Release[] = [];
    const waitForSlots = async (): Promise<void> => {
      if (principal !== undefined) {
        slots.push(await this.#slots.ofCall(principal, appId === undefined, signal));
      }
      slots.push(await this.#slots.ofApp(project, signal, maxWaitMs));
    };
    try {
      const { incidents } = await this.#kept.get(apps, [appId ?? null], waitForSlots, (outdated) =>
        appId === undefined
          ? this.#ofAll(apps, signal, () => slots.pop()?.())
          : this.#ofOne({ ...apps, appId }, signal, outdated),
      );
      return incidents;
    } finally {
      for (const end of slots) end();
    }
  }

  /** @param endSlot ends the project's slot, because each app needs one. */
  async #ofAll({ project, until }: EvaluatedApps, signal: AbortSignal, endSlot: Release): Promise<Found> {
    const query = { project, until, limit: MAX_EVALUATED_APPS + 1 };
    const apps = await this.#store.listApps(query, signal).finally(endSlot);
    if (apps.length > MAX_EVALUATED_APPS) throw tooManyApps();
    const found: AppIncident[] = [];
    for (const { appId } of apps) {
      for (const incident of await this.#of({ project, appId, until }, signal, MAX_WAIT_MS))
        found.push(incident);
    }
    return { incidents: withoutRepeatedSilences(found.sort(byPlace)) };
  }

  /** @param outdated result from before the last change of the project, which may only have affected other apps. */
  async #ofOne(
    { project, appId, until }: Required<EvaluatedApps>,
    signal: AbortSignal,
    outdated: Found | undefined,
  ): Promise<Found> {
    const query = { project, appId, since: until - MAX_EVALUATED_DAYS + 1, until, counts: READ };
    const days = this.#isMirrored(project) ? mirroredDays(until) : await this.#days.of(query, signal);
    const digest = `${await this.#store.digestCounts(query, signal)} ${days.digest}`;
    if (digest === outdated?.digest) return outdated;
    const [whole, labels] = await this.#read(query, signal);
    const ofShares = await inSteps(detectIncidents(whole, labels, until), signal);
    const ofVolume = await inSteps(detectVolumeIncidents(whole, labels, days), signal);
    const found = [...ofShares, ...ofVolume].map((incident) => ({ ...incident, appId }));
    return { incidents: found.sort(byPlace), digest };
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

/** @param sums sums by day, newest first. */
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
    `the project has more than ${MAX_EVALUATED_APPS.toLocaleString("en")} apps; request the apps one by one`,
  );

/**
 * Slots for app evaluations. They are separate from the slots for responses, so that no page waits for an evaluation. A
 * call for all apps of a project may last minutes, and waits for a slot for each app.
 */
class EvaluationSlots {
  readonly #callBudget = new Budget({ total: Number.POSITIVE_INFINITY, each: MAX_EVALUATING_CALLS });
  readonly #appBudget = new Budget({ total: MAX_EVALUATIONS });
  readonly #calls = new FairSlots((key) => this.#callBudget.take(key), {
    total: MAX_ALL_WAITING,
    each: MAX_WAITING,
  });
  /** Needs no limit: only calls with a slot and the job wait here. */
  readonly #apps = new FairSlots((project) => this.#appBudget.take(project), {
    total: Number.POSITIVE_INFINITY,
    each: Number.POSITIVE_INFINITY,
  });

  /**
   * Waits until no other call of the principal needs evaluations. Calls for all apps do not delay calls for one app.
   *
   * @returns a function that ends the slot.
   * @throws NoSlotError, or the reason of `signal`.
   */
  ofCall(principal: string, isForAll: boolean, signal: AbortSignal): Promise<Release> {
    return this.#calls.take(JSON.stringify([principal, isForAll]), signal);
  }

  /**
   * Waits for a slot of a project, to evaluate one app. Within a project, slots go to calls in order of arrival. This
   * is fair between principals, because each has only one such call.
   *
   * @param maxMs maximum wait, in milliseconds. Infinite for the job.
   * @returns a function that ends the slot.
   * @throws WaitTimeoutError, or the reason of `signal`.
   */
  ofApp(project: string, signal: AbortSignal, maxMs: number): Promise<Release> {
    return this.#apps.take(project, signal, maxMs);
  }
}
