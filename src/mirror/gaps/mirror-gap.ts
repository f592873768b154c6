import type {
  AndroidMirrorGap_Kind,
  AndroidMirrorGap_Kind as Kind,
} from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { byBytes } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";

/**
 * Missing entries in an app's mirror, or a problem that prevents new entries. The contract has the message
 * `AndroidMirrorGap` for it.
 */
export interface MirrorGap {
  readonly appId: string;
  readonly kind: AndroidMirrorGap_Kind;
  readonly day?: Day | undefined;
  /** Last day on which upstream lists the missing entries. */
  readonly expireDay?: Day | undefined;
  /** Time at which the gap was detected, in milliseconds since 1970. */
  readonly since: number;
  readonly problem?: string | undefined;
}

/** Position of a gap in a list. No two gaps have the same position. */
export type GapPlace = Pick<MirrorGap, "appId" | "kind" | "day">;

export interface GapSelection {
  /** App to select. If omitted, selects all apps. */
  readonly appId?: string | undefined;
  /** Selects only gaps after this position. */
  readonly after?: GapPlace | undefined;
}

export interface MirrorGaps {
  /**
   * Finds a project's gaps lazily, app by app, in contract order. Yields nothing if the project has no mirror.
   *
   * @throws StoreUnavailableError if the mirror's state cannot be read.
   */
  read(project: ProjectNumber, selection?: GapSelection): AsyncIterable<readonly MirrorGap[]>;
}

/** Compares gaps in list order: by app id in byte order, then by kind, then by day, newest first. */
export const byPlace = (a: GapPlace, b: GapPlace): number =>
  byBytes(a.appId, b.appId) || a.kind - b.kind || (b.day ?? 0) - (a.day ?? 0);

/** Encodes a gap's position for a page token. */
export const writePlace = ({ appId, kind, day }: GapPlace): string =>
  JSON.stringify(day === undefined ? [appId, kind] : [appId, kind, day]);

/** Decodes a position that {@link writePlace} has encoded. */
export function readPlace(text: string): GapPlace {
  const [appId, kind, day] = JSON.parse(text) as [string, GapPlace["kind"], number?];
  return { appId, kind, day };
}

/** Figures about gaps, for metrics. */
export interface GapFigures {
  /** Number of gaps by kind. Kinds without gaps are omitted. */
  readonly counts: ReadonlyMap<Kind, number>;
  /** Days on which missing entries expire upstream, today or later. */
  readonly expireDays: ReadonlySet<Day>;
}

/** Computes figures about gaps, without keeping the gaps in memory. */
export async function gapFigures(
  gaps: AsyncIterable<readonly MirrorGap[]> | Iterable<readonly MirrorGap[]>,
  today: Day,
): Promise<GapFigures> {
  const counts = new Map<Kind, number>();
  const expireDays = new Set<Day>();
  for await (const ofApp of gaps) {
    for (const { kind, expireDay } of ofApp) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (expireDay !== undefined && expireDay >= today) expireDays.add(expireDay);
    }
  }
  return { counts, expireDays };
}
