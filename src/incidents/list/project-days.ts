import { createHash } from "node:crypto";
import { MAX_EVALUATED_DAYS } from "../../limits/data-limits.js";
import { VersionedCache } from "../../messaging-data/delivery-data/versioned-cache.js";
import { at } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import { COUNTS, type CountsQuery, type DeliveryDataStore } from "../../store/delivery-data-store.js";
import type { VolumeDays } from "../volume/detect-volume-incidents.js";

const MAX_BYTES = 4 * 1024 * 1024;
const BYTES_OF_DAY = 64;
/** Number of earlier days with the same weekday that show how many messages a project usually has. */
const WEEKS = 4;
/** Part of the usual messages that shows that a project's last day is complete. */
const COMPLETE = 0.5;

export interface EvaluatedDays extends VolumeDays {
  /** Digest of the days. It changes when they change. */
  readonly digest: string;
}

/** Returns all days for a mirrored project. Days without entries are gaps. */
export const mirroredDays = (until: Day): EvaluatedDays => ({
  lastDay: until,
  lacksEntries: true,
  isEmpty: () => false,
  digest: "mirror",
});

/** Reads a project's messages by day, and caches the result until a day changes. */
export class ProjectDays {
  readonly #store: Pick<DeliveryDataStore, "version" | "sumEntries">;
  readonly #kept: VersionedCache<EvaluatedDays>;

  constructor(store: Pick<DeliveryDataStore, "version" | "sumEntries">) {
    this.#store = store;
    this.#kept = new VersionedCache(store, {
      maxBytes: MAX_BYTES,
      bytesOf: () => BYTES_OF_DAY * MAX_EVALUATED_DAYS,
    });
  }

  /** @throws StoreUnavailableError if the store cannot be reached; the reason of `signal`. */
  of(
    { project, until }: Pick<CountsQuery, "project" | "until">,
    signal: AbortSignal,
  ): Promise<EvaluatedDays> {
    return this.#kept.get(
      { project, until },
      [],
      async () => {},
      async () => {
        const sums = await this.#store.sumEntries(
          {
            project,
            until,
            filter: { kind: "day", comparison: ">=", day: until - MAX_EVALUATED_DAYS + 1 },
            groupBy: new Set(["day"]),
            limit: MAX_EVALUATED_DAYS,
          },
          signal,
        );
        const messages = new Map<Day, number>();
        for (const { days = [], counts } of sums) {
          const accepted = counts[COUNTS.indexOf("count_messages_accepted")];
          for (let row = 0; row < days.length; row++)
            messages.set(Number(days[row]), Number(accepted?.[row]));
        }
        return evaluatedDays(messages, until);
      },
    );
  }
}

/**
 * Determines the days to evaluate. The last listed day counts only if the project has about as many messages as usual:
 * otherwise its import may not be complete, and the day is evaluated when the next one is listed.
 *
 * @param messages accepted messages of the project by day. Days without entries are absent.
 */
export function evaluatedDays(messages: ReadonlyMap<Day, number>, until: Day): EvaluatedDays {
  const earlier = Array.from({ length: WEEKS }, (_, week) => messages.get(until - 7 * (week + 1)) ?? 0);
  const usual = at(
    earlier.sort((a, b) => a - b),
    WEEKS >> 1,
  );
  const isComplete = (messages.get(until) ?? 0) >= COMPLETE * usual;
  const lastDay = isComplete ? until : until - 1;
  const digest = createHash("sha256")
    .update(JSON.stringify([lastDay, ...messages.keys()]))
    .digest("base64url");
  return { lastDay, lacksEntries: false, isEmpty: (day) => !messages.has(day), digest };
}
