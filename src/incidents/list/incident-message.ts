import { create } from "@bufbuild/protobuf";
import { DateSchema } from "../../gen/google/type/date_pb.js";
import { DeliveryCountsSchema } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import {
  type AndroidIncident,
  AndroidIncidentSchema,
  AndroidIncident_Outcome as ContractOutcome,
} from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { civilDate } from "../../model/day.js";
import type { Outcome } from "../daily-counts.js";
import type { IdentifiedIncident } from "./incident-ids.js";

/** An incident as a message of the contract. */
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

/** The value with the name of the count, in capital letters. */
const contractOutcome = (outcome: Outcome): ContractOutcome =>
  ContractOutcome[DeliveryCountsSchema.field[outcome].name.toUpperCase() as keyof typeof ContractOutcome];
