import { Counter, Gauge, type Registry } from "prom-client";
import { AndroidMirrorGap_Kind as Kind } from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import type { GapFigures } from "../../mirror/gaps/mirror-gap.js";
import { type Day, formatDay, startOfDay } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";

/** Maximum number of expiring dates that are shown for a project, earliest first. */
const MAX_DATES = 31;

const KINDS = Object.values(Kind).filter(
  (kind): kind is Kind => typeof kind === "number" && kind !== Kind.KIND_UNSPECIFIED,
);

export interface MirrorFigures {
  readonly project: ProjectNumber;
  readonly gaps: GapFigures;
  /** Time since the last successful round of the app that has waited longest, in seconds. */
  readonly age: number;
  /** Number of days for which upstream returns a day's data. */
  readonly windowDays: number;
}

/** Metrics about mirrors. A scrape does not read the store. */
export class MirrorMetrics {
  readonly rounds: Counter<"project" | "result">;

  /** @param read reads the figures of all mirrored projects. */
  constructor(registry: Registry, read: () => Promise<readonly MirrorFigures[]>) {
    const registers = [registry];
    let reading: Promise<readonly MirrorFigures[]> | undefined;
    // During a scrape, all gauges are read in the same event loop tick, so that they share one read of the figures.
    const figures = (): Promise<readonly MirrorFigures[]> => {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    };
    this.rounds = new Counter({
      name: "waybill_mirror_rounds_total",
      help: "Rounds of mirrors, by project number: those that read all their apps are done, others failed.",
      labelNames: ["project", "result"] as const,
      registers,
    });
    new Gauge({
      name: "waybill_mirror_age_seconds",
      help: "Maximum time, over all apps of a project, since all pages of the app were read. By project number.",
      labelNames: ["project"] as const,
      registers,
      async collect() {
        for (const { project, age } of await figures()) this.set({ project }, age);
      },
    });
    new Gauge({
      name: "waybill_mirror_gaps",
      help: "Gaps in a project's mirror, by project number and kind of gap.",
      labelNames: ["project", "kind"] as const,
      registers,
      async collect() {
        const all = await figures();
        this.reset();
        for (const { project, gaps } of all) {
          for (const kind of KINDS) {
            this.set({ project, kind: Kind[kind].toLowerCase() }, gaps.counts.get(kind) ?? 0);
          }
        }
      },
    });
    new Gauge({
      name: "waybill_mirror_expiration_timestamp_seconds",
      help: "Time at which a date that is missing in the mirror expires upstream, in seconds since the Unix epoch.",
      labelNames: ["project", "date"] as const,
      registers,
      async collect() {
        const all = await figures();
        this.reset();
        for (const { project, gaps, windowDays } of all) {
          for (const day of nextDays(gaps)) {
            const date = formatDay(day - windowDays);
            this.set({ project, date }, startOfDay(day + 1) / 1000);
          }
        }
      },
    });
  }
}

/** Returns the days on which missing data expires upstream, earliest first. */
const nextDays = ({ expireDays }: GapFigures): readonly Day[] =>
  [...expireDays].sort((a, b) => a - b).slice(0, MAX_DATES);
