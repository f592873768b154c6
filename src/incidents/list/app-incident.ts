import { create } from "@bufbuild/protobuf";
import { annotationMessage } from "../../annotations/annotations.js";
import { DateSchema } from "../../gen/google/type/date_pb.js";
import { DeliveryCountsSchema } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import {
  type AndroidIncident,
  AndroidIncidentSchema,
  AndroidIncident_Kind as ContractKind,
  AndroidIncident_Outcome as ContractOutcome,
} from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { byBytes } from "../../model/collections.js";
import { civilDate, type Day } from "../../model/day.js";
import { OUTCOMES, type Outcome } from "../detection/daily-counts.js";
import { byLabel, type Incident } from "../detection/incident.js";
import { VOLUME_CHANGES, type VolumeIncident } from "../volume/volume-incident.js";

export type AppIncident = (Incident | VolumeIncident) & { readonly appId: string };

/** An incident with its id. The id stays while late events move its first and last day. */
export type IdentifiedIncident = AppIncident & {
  /** Id of the incident: 16 hexadecimal digits. */
  readonly id: string;
};

/** An incident's position in a list. No two incidents have the same position. */
export type IncidentPlace = Pick<AppIncident, "startDay" | "appId" | "label" | "outcome">;

/**
 * Compares incidents in list order: newest start first, then app id in byte order, the whole app before its labels,
 * then label in byte order, then outcome, before silences, falls and rises.
 */
export const byPlace = (a: IncidentPlace, b: IncidentPlace): number =>
  b.startDay - a.startDay ||
  byBytes(a.appId, b.appId) ||
  byLabel(a.label, b.label) ||
  ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome);

const ORDER: readonly AppIncident["outcome"][] = [...OUTCOMES, ...VOLUME_CHANGES];

/** Encodes a position for a page token. */
export const writePlace = ({ startDay, appId, label, outcome }: IncidentPlace): string =>
  JSON.stringify([startDay, appId, label ?? null, outcome]);

/** Decodes a string from {@link writePlace}. */
export function readPlace(text: string): IncidentPlace {
  const [startDay, appId, label, outcome] = JSON.parse(text) as [
    Day,
    string,
    string | null,
    AppIncident["outcome"],
  ];
  return { startDay, appId, label: label ?? undefined, outcome };
}

/** Converts an incident to its API message. @param annotation the annotation that is nearest to its start, if any. */
export const incidentMessage = (
  incident: IdentifiedIncident,
  annotation?: Parameters<typeof annotationMessage>[0],
): AndroidIncident => {
  const { id, appId, label, startDay, endDay } = incident;
  return create(AndroidIncidentSchema, {
    appId,
    analyticsLabel: label ?? "",
    wholeApp: label === undefined,
    startDate: create(DateSchema, civilDate(startDay)),
    ...(endDay !== undefined && { endDate: create(DateSchema, civilDate(endDay)) }),
    excessMessageCount: BigInt(incident.excessMessageCount),
    confidence: incident.confidence,
    incidentId: id,
    ...(annotation !== undefined && { nearestAnnotation: annotationMessage(annotation) }),
    ...(isOfVolume(incident) ? volumeFields(incident) : shareFields(incident)),
  });
};

/** Returns true for a silence, fall or rise of the number of messages. */
export const isOfVolume = <T>(incident: Incident | (VolumeIncident & T)): incident is VolumeIncident & T =>
  "kind" in incident;

export const contractKind = (incident: AppIncident): ContractKind =>
  isOfVolume(incident) ? KINDS[incident.kind] : ContractKind.OUTCOME_SHARE;

const KINDS = { silence: ContractKind.SILENCE, fall: ContractKind.FALL, rise: ContractKind.RISE };

const shareFields = ({ outcome, ...incident }: Incident) => ({
  kind: ContractKind.OUTCOME_SHARE,
  outcome: contractOutcome(outcome),
  usualPercent: incident.usualPercent,
  usualLowPercent: incident.usualLowPercent,
  usualHighPercent: incident.usualHighPercent,
  observedPercent: incident.observedPercent,
});

const volumeFields = ({ kind, ...incident }: VolumeIncident) => ({
  kind: KINDS[kind],
  usualMessageCount: BigInt(incident.usualMessageCount),
  usualLowMessageCount: BigInt(incident.usualLowMessageCount),
  usualHighMessageCount: BigInt(incident.usualHighMessageCount),
  observedMessageCount: BigInt(incident.observedMessageCount),
  wholeProject: incident.isOfProject,
});

/** Enum values in the API are the count names in capital letters. */
const contractOutcome = (outcome: Outcome): ContractOutcome =>
  ContractOutcome[DeliveryCountsSchema.field[outcome].name.toUpperCase() as keyof typeof ContractOutcome];
