import type { DeliveryDataGroupJson } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { numberOf } from "./field-text.js";

/** Returns false for a sum in which every mirrored entry lacks its figures. */
export const hasCounts = ({
  excludedEntryCount,
  counts,
}: Pick<DeliveryDataGroupJson, "excludedEntryCount" | "counts">): boolean =>
  excludedEntryCount === undefined || counts?.countMessagesAccepted !== undefined;

/** Returns the number of entries that lack figures, for sums of a mirrored project. Undefined for other projects. */
export const excludedEntriesIn = (groups: readonly DeliveryDataGroupJson[]): number | undefined =>
  groups.some(({ fromPercentages }) => fromPercentages)
    ? groups.reduce((sum, { excludedEntryCount }) => sum + numberOf(excludedEntryCount), 0)
    : undefined;

/**
 * States how the sums of mirrored entries are computed.
 *
 * @param excluded number of entries that lack figures.
 */
export function mirroredSumsText(excluded: number): string {
  const sentence = "Sums are computed from upstream percentages, which may be rounded.";
  if (excluded === 0) return sentence;
  const entries = excluded === 1 ? "1 entry" : `${excluded.toLocaleString("en")} entries`;
  return `${sentence} ${entries} without figures ${excluded === 1 ? "is" : "are"} excluded.`;
}
