import type { AndroidMirrorGap_Kind } from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import type { Day } from "../../model/day.js";

/** Something that is missing in the mirror of an app, or keeps more from coming; as `AndroidMirrorGap` in the contract. */
export interface MirrorGap {
  readonly appId: string;
  readonly kind: AndroidMirrorGap_Kind;
  readonly day?: Day | undefined;
  /** The last day on which the original still gives the missing entries. */
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
