import type {
  AndroidMirrorGap_Kind,
  AndroidMirrorGap_Kind as Kind,
} from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { byBytes } from "../../model/collections.js";
import type { Day } from "../../model/day.js";

/** Something that is missing in the mirror of an app, or keeps more from coming; as `AndroidMirrorGap` in the contract. */
export interface MirrorGap {
  readonly appId: string;
  readonly kind: AndroidMirrorGap_Kind;
  readonly day?: Day | undefined;
  /** The last day on which upstream still has the missing entries. */
  readonly expireDay?: Day | undefined;
  /** Time at which it was first seen, in milliseconds since 1970. */
  readonly since: number;
  readonly problem?: string | undefined;
}

/** The properties that determine the place of a gap in a list. No two gaps have the same place. */
export type GapPlace = Pick<MirrorGap, "appId" | "kind" | "day">;

/** Some gaps of a project. */
export interface GapSelection {
  /** Missing for the gaps of all apps. */
  readonly appId?: string | undefined;
  /** Only gaps behind this place. */
  readonly after?: GapPlace | undefined;
}

/** The gaps in the mirrors of projects. */
export interface MirrorGaps {
  /**
   * Finds gaps of a project when they are asked for, those of one app after the other, in the order of the contract. A
   * project that mirrors nothing has none.
   *
   * @param project project number, in decimal.
   * @throws StoreUnavailableError if they cannot be read.
   */
  read(project: string, selection?: GapSelection): AsyncIterable<readonly MirrorGap[]>;
}

/** Compares gaps by the order of the list: by app id in byte order, then by kind, then newest day first. */
export const byPlace = (a: GapPlace, b: GapPlace): number =>
  byBytes(a.appId, b.appId) || a.kind - b.kind || (b.day ?? 0) - (a.day ?? 0);

/** Writes the place of a gap for a page token. */
export const writePlace = ({ appId, kind, day }: GapPlace): string =>
  JSON.stringify(day === undefined ? [appId, kind] : [appId, kind, day]);

/** Reads what {@link writePlace} wrote. */
export function readPlace(text: string): GapPlace {
  const [appId, kind, day] = JSON.parse(text) as [string, GapPlace["kind"], number?];
  return { appId, kind, day };
}

/** Figures of gaps. */
export interface GapFigures {
  /** Number of gaps by kind; kinds without any are missing. */
  readonly counts: ReadonlyMap<Kind, number>;
  /** The days from today on on which missing entries expire upstream. */
  readonly expireDays: ReadonlySet<Day>;
}

/** Computes figures of gaps, of which it keeps none. */
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
