import type { DescEnum } from "@bufbuild/protobuf";
import {
  AndroidIncident_KindSchema,
  AndroidIncident_StateSchema,
  AndroidIncidentSchema,
} from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { printable } from "../../limits/excerpt.js";
import { dateFilter, labelFilter, matches } from "../../messaging-data/delivery-data/filter/entry-filters.js";
import { FilterError } from "../../messaging-data/delivery-data/filter/lexer.js";
import {
  type FilterField,
  type FilterLanguage,
  namesOf,
} from "../../messaging-data/delivery-data/filter/read-filter.js";
import type { Day } from "../../model/day.js";
import { stateOf, type TriagedIncident } from "../triage/triaged-incident.js";
import { contractKind } from "./app-incident.js";

export type IncidentTest = (incident: TriagedIncident) => boolean;

const { startDate, endDate, analyticsLabel, wholeApp, kind, state } = AndroidIncidentSchema.field;

/** Fields of incident filters. A comparison with a date or label matches only incidents that have one (AIP-160). */
export const INCIDENT_FILTERS: FilterLanguage<IncidentTest> = {
  fields: [
    dateField(startDate, ({ startDay }) => startDay),
    dateField(endDate, ({ endDay }) => endDay),
    {
      names: namesOf(analyticsLabel),
      conditionOf(...comparison) {
        const filter = labelFilter(...comparison);
        return ({ label }) => label !== undefined && matches(filter, { day: 0, label });
      },
    },
    {
      names: namesOf(wholeApp),
      conditionOf(comparator, { text, at }) {
        // `:*` tests for presence: a field is present if it differs from its default (AIP-160).
        const isAny = comparator === ":" && text === "*";
        if (!isAny && text !== "true" && text !== "false")
          throw new FilterError(at, `"${printable(text)}" is neither true nor false`);
        if (comparator.startsWith("<") || comparator.startsWith(">"))
          throw new FilterError(at, `true and false cannot be compared by "${comparator}"`);
        const expected = (text !== "false") === (comparator !== "!=");
        return ({ label }) => (label === undefined) === expected;
      },
    },
    enumField(kind, AndroidIncident_KindSchema, contractKind),
    enumField(state, AndroidIncident_StateSchema, stateOf),
  ],
  and: (operands) => (incident) => operands.every((holds) => holds(incident)),
  or: (operands) => (incident) => operands.some((holds) => holds(incident)),
  not: (operand) => (incident) => !operand(incident),
};

function dateField(
  field: Parameters<typeof namesOf>[0],
  dayOf: (incident: TriagedIncident) => Day | undefined,
): FilterField<IncidentTest> {
  return {
    names: namesOf(field),
    conditionOf(comparator, value) {
      const filter = dateFilter(comparator, value);
      return (incident) => {
        const day = dayOf(incident);
        return day !== undefined && matches(filter, { day, label: "" });
      };
    },
  };
}

/** @param numberOf returns an incident's value as a number. Every incident has one. */
function enumField(
  field: Parameters<typeof namesOf>[0],
  { values }: DescEnum,
  numberOf: (incident: TriagedIncident) => number,
): FilterField<IncidentTest> {
  const known = values.filter(({ number }) => number > 0);
  return {
    names: namesOf(field),
    conditionOf(comparator, { text, at }) {
      if (comparator === ":" && text === "*") return () => true;
      const expected = known.find(({ name }) => name === text);
      if (expected === undefined) {
        const names = known.map(({ name }) => name).join(", ");
        throw new FilterError(at, `"${printable(text)}" is not one of ${names}`);
      }
      if (comparator.startsWith("<") || comparator.startsWith(">"))
        throw new FilterError(at, `values of ${field.jsonName} cannot be compared by "${comparator}"`);
      return (incident) => (numberOf(incident) === expected.number) === (comparator !== "!=");
    },
  };
}
