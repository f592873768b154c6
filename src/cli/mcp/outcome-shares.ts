import * as z from "zod";
import {
  type DeliveryCountsJson,
  type MessageOutcomePercentsJson,
  MessageOutcomePercentsSchema,
} from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import type { DeliveryDataGroupJson } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { numberOf } from "../../presentation/field-text.js";
import { excludedEntriesIn, mirroredSumsText } from "../../presentation/mirrored-sums.js";
import { messages, outcomeName, percent, tenths } from "./words.js";

/** Number of messages and their outcomes. */
export const OUTCOME_SHARES = z.object({
  accepted: z.int().describe("Messages accepted"),
  deliveredPercent: z.number().optional().describe("In percent of accepted; absent without messages"),
  outcomes: z
    .array(
      z.object({
        outcome: z.string(),
        messages: z.int(),
        percent: z.number().describe("In percent of accepted"),
      }),
    )
    .describe("Mutually exclusive outcomes that occurred, most messages first"),
});

export type OutcomeShares = z.output<typeof OUTCOME_SHARES>;

const OUTCOMES = MessageOutcomePercentsSchema.fields.map(
  ({ jsonName }) => jsonName as keyof MessageOutcomePercentsJson,
);

/** Sums the counts of several groups. */
export function outcomeShares(counts: readonly (DeliveryCountsJson | undefined)[]): OutcomeShares {
  const sum = (name: keyof DeliveryCountsJson): number =>
    counts.reduce((total, each) => total + numberOf(each?.[name]), 0);
  const accepted = sum("countMessagesAccepted");
  if (accepted === 0) return { accepted, outcomes: [] };
  const percentOf = (count: number): number => tenths((100 * count) / accepted);
  return {
    accepted,
    deliveredPercent: percentOf(sum("delivered")),
    outcomes: OUTCOMES.map((outcome) => ({ outcome, messages: sum(outcome) }))
      .filter((each) => each.messages > 0)
      .sort((a, b) => b.messages - a.messages)
      .map((each) => ({ ...each, percent: percentOf(each.messages) })),
  };
}

/** Describes the number of messages and the delivered share, such as "200 messages, 90.0 % delivered". */
export function deliveredInWords({ accepted, deliveredPercent }: OutcomeShares): string {
  return deliveredPercent === undefined
    ? "no messages"
    : `${messages(accepted)}, ${percent(deliveredPercent)} delivered`;
}

/** States how sums of mirrored entries are computed. Empty for other projects. */
export function originInWords(groups: readonly DeliveryDataGroupJson[]): readonly string[] {
  const excluded = excludedEntriesIn(groups);
  return excluded === undefined ? [] : [mirroredSumsText(excluded)];
}

/** Describes the other outcomes, such as "10.0 % dropped ttl expired". Empty if there are none. */
export const othersInWords = ({ outcomes }: OutcomeShares): string =>
  outcomes
    .filter(({ outcome }) => outcome !== "delivered")
    .map((each) => `${percent(each.percent)} ${outcomeName(each.outcome)}`)
    .join(", ");
