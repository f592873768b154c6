import { Counter, Gauge, type Registry } from "prom-client";
import { AndroidMirrorGap_Kind as Kind } from "../../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import type { MirrorGap } from "../../../messaging-data/mirror/mirror-gap.js";
import { type Day, formatDay, startOfDay } from "../../../model/day.js";

/** Most dates about to be forgotten that are shown of a project: those that go first. */
const MAX_DATES = 31;

/** Figures of the mirror of a project. */
export interface MirrorFigures {
  /** Project number, in decimal. */
  readonly project: string;
  readonly gaps: readonly MirrorGap[];
  /** The longest time since a round of an app went well, in seconds. */
  readonly age: number;
  /** Time for which the original gives a day, in days. */
  readonly windowDays: number;
  readonly today: Day;
}

/** The metrics of mirrors. A scrape reads no store. */
export class MirrorMetrics {
  readonly rounds: Counter<"project" | "result">;

  /** @param read reads the figures of each mirrored project. */
  constructor(registry: Registry, read: () => Promise<readonly MirrorFigures[]>) {
    const registers = [registry];
    let reading: Promise<readonly MirrorFigures[]> | undefined;
    // All gauges of a scrape begin in the same turn: they share one reading.
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
      help: "Time since all pages of an app were read, of the app for which it is longest, by project number.",
      labelNames: ["project"] as const,
      registers,
      async collect() {
        for (const { project, age } of await figures()) this.set({ project }, age);
      },
    });
    new Gauge({
      name: "waybill_mirror_gaps",
      help: "What is missing in the mirror of a project, by its number and the kind of gap.",
      labelNames: ["project", "kind"] as const,
      registers,
      async collect() {
        const all = await figures();
        this.reset();
        for (const { project, gaps } of all) {
          for (const [kind, count] of countsByKind(gaps)) this.set({ project, kind }, count);
        }
      },
    });
    new Gauge({
      name: "waybill_mirror_forgotten_timestamp_seconds",
      help: "When the original will have forgotten a date that the mirror misses, in seconds since the Unix epoch.",
      labelNames: ["project", "date"] as const,
      registers,
      async collect() {
        const all = await figures();
        this.reset();
        for (const { project, ...known } of all) {
          for (const day of forgottenDays(known)) {
            const date = formatDay(day - known.windowDays);
            this.set({ project, date }, startOfDay(day + 1) / 1000);
          }
        }
      },
    });
  }
}

/** Counts gaps by the names of their kinds, kinds without any too. */
function countsByKind(gaps: readonly MirrorGap[]): Map<string, number> {
  const kinds = Object.values(Kind).filter(
    (kind) => typeof kind === "number" && kind !== Kind.KIND_UNSPECIFIED,
  );
  return new Map(
    kinds.map((kind) => [Kind[kind as Kind].toLowerCase(), gaps.filter((gap) => gap.kind === kind).length]),
  );
}

/** The days on which the original gives something for the last time that is missing, the next first. */
function forgottenDays({ gaps, today }: Pick<MirrorFigures, "gaps" | "today">): readonly Day[] {
  const days = gaps.flatMap(({ forgottenDay }) => forgottenDay ?? []);
  return [...new Set(days)]
    .filter((day) => day >= today)
    .sort((a, b) => a - b)
    .slice(0, MAX_DATES);
}
