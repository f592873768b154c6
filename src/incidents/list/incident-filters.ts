import {
  AndroidIncident_KindSchema,
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
import { type AppIncident, contractKind } from "./app-incident.js";

/** A condition on incidents. */
export type IncidentTest = (incident: AppIncident) => boolean;

const { startDate, endDate, analyticsLabel, wholeApp, kind } = AndroidIncidentSchema.field;

const KIND_NAMES = AndroidIncident_KindSchema.values
  .filter(({ number }) => number > 0)
  .map(({ name }) => name)
  .join(", ");

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
    {
      names: namesOf(kind),
      conditionOf(comparator, { text, at }) {
        if (comparator === ":" && text === "*") return () => true;
        const known = AndroidIncident_KindSchema.values.find(
          ({ name, number }) => number > 0 && name === text,
        );
        if (known === undefined)
          throw new FilterError(at, `"${printable(text)}" is not one of ${KIND_NAMES}`);
        if (comparator.startsWith("<") || comparator.startsWith(">"))
          throw new FilterError(at, `kinds cannot be compared by "${comparator}"`);
        return (incident) => (contractKind(incident) === known.number) === (comparator !== "!=");
      },
    },
  ],
  and: (operands) => (incident) => operands.every((holds) => holds(incident)),
  or: (operands) => (incident) => operands.some((holds) => holds(incident)),
  not: (operand) => (incident) => !operand(incident),
};

function dateField(
  field: Parameters<typeof namesOf>[0],
  dayOf: (incident: AppIncident) => Day | undefined,
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
