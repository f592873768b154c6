import type {
  AndroidMirrorGap_Kind,
  AndroidMirrorGap_Kind as Kind,
} from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { byBytes } from "../../model/collections.js";
import type { Day } from "../../model/day.js";

/**
 * Missing entries in an app's mirror, or a problem that keeps entries from arriving: `AndroidMirrorGap` in the
 * contract.
 */
export interface MirrorGap {
  readonly appId: string;
  readonly kind: AndroidMirrorGap_Kind;
  readonly day?: Day | undefined;
  /** Last day on which upstream still lists the missing entries. */
  readonly expireDay?: Day | undefined;
  /** Time at which the gap was detected, in milliseconds since 1970. */
  readonly since: number;
  readonly problem?: string | undefined;
}

/** A gap's position in a list. No two gaps have the same position. */
export type GapPlace = Pick<MirrorGap, "appId" | "kind" | "day">;

/** Selects gaps of a project. */
export interface GapSelection {
  /** If omitted, the gaps of all apps. */
  readonly appId?: string | undefined;
  /** Only gaps after this position. */
  readonly after?: GapPlace | undefined;
}

/** Gaps in the mirrors of projects. */
export interface MirrorGaps {
  /**
   * Finds gaps of a project lazily, app by app, in contract order. Yields nothing for a project without a mirror.
   *
   * @param project project number, in decimal.
   * @throws StoreUnavailableError if they cannot be read.
   */
  read(project: string, selection?: GapSelection): AsyncIterable<readonly MirrorGap[]>;
}

/** Compares gaps in list order: by app id in byte order, then by kind, then newest day first. */
export const byPlace = (a: GapPlace, b: GapPlace): number =>
  byBytes(a.appId, b.appId) || a.kind - b.kind || (b.day ?? 0) - (a.day ?? 0);

/** Encodes a position for a page token. */
export const writePlace = ({ appId, kind, day }: GapPlace): string =>
  JSON.stringify(day === undefined ? [appId, kind] : [appId, kind, day]);

/** Decodes the text of {@link writePlace}. */
export function readPlace(text: string): GapPlace {
  const [appId, kind, day] = JSON.parse(text) as [string, GapPlace["kind"], number?];
  return { appId, kind, day };
}

/** Numbers about gaps, for metrics. */
export interface GapFigures {
  /** Number of gaps by kind. Kinds without gaps are absent. */
  readonly counts: ReadonlyMap<Kind, number>;
  /** Days, from today on, on which missing entries expire upstream. */
  readonly expireDays: ReadonlySet<Day>;
}

/** Computes figures without keeping the gaps in memory. */
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
