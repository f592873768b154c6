import { create } from "@bufbuild/protobuf";
import { DateSchema } from "../../gen/google/type/date_pb.js";
import { DeliveryCountsSchema } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import {
  type AndroidIncident,
  AndroidIncidentSchema,
  AndroidIncident_Outcome as ContractOutcome,
} from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { byBytes } from "../../model/collections.js";
import { civilDate, type Day } from "../../model/day.js";
import { OUTCOMES, type Outcome } from "../detection/daily-counts.js";
import type { Incident } from "../detection/incident.js";

/** An incident of an app. */
export interface AppIncident extends Incident {
  readonly appId: string;
}

/** An incident with its id. The id stays while late events move its first and last day. */
export interface IdentifiedIncident extends AppIncident {
  /** 16 hexadecimal digits. */
  readonly id: string;
}

/** An incident's position in a list. No two incidents have the same position. */
export type IncidentPlace = Pick<AppIncident, "startDay" | "appId" | "label" | "outcome">;

/**
 * Compares incidents in list order: newest start first, then app id in byte order, the whole app before its labels,
 * then label in byte order, then outcome.
 */
export const byPlace = (a: IncidentPlace, b: IncidentPlace): number =>
  b.startDay - a.startDay ||
  byBytes(a.appId, b.appId) ||
  Number(a.label !== undefined) - Number(b.label !== undefined) ||
  byBytes(a.label ?? "", b.label ?? "") ||
  OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome);

/** Encodes a position for a page token. */
export const writePlace = ({ startDay, appId, label, outcome }: IncidentPlace): string =>
  JSON.stringify([startDay, appId, label ?? null, outcome]);

/** Decodes the text of {@link writePlace}. */
export function readPlace(text: string): IncidentPlace {
  const [startDay, appId, label, outcome] = JSON.parse(text) as [
    Day,
    string,
    string | null,
    AppIncident["outcome"],
  ];
  return { startDay, appId, label: label ?? undefined, outcome };
}

/** Returns an incident in the contract's form. */
export const incidentMessage = ({
  id,
  label,
  outcome,
  startDay,
  endDay,
  ...incident
}: IdentifiedIncident): AndroidIncident =>
  create(AndroidIncidentSchema, {
    appId: incident.appId,
    analyticsLabel: label ?? "",
    wholeApp: label === undefined,
    outcome: contractOutcome(outcome),
    startDate: create(DateSchema, civilDate(startDay)),
    ...(endDay !== undefined && { endDate: create(DateSchema, civilDate(endDay)) }),
    usualPercent: incident.usualPercent,
    usualLowPercent: incident.usualLowPercent,
    usualHighPercent: incident.usualHighPercent,
    observedPercent: incident.observedPercent,
    excessMessageCount: BigInt(incident.excessMessageCount),
    confidence: incident.confidence,
    incidentId: id,
  });

/** The enum value is the count's name in capital letters. */
const contractOutcome = (outcome: Outcome): ContractOutcome =>
  ContractOutcome[DeliveryCountsSchema.field[outcome].name.toUpperCase() as keyof typeof ContractOutcome];
