import { AndroidDeliveryDataSchema } from "../../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import type { EntryFilter } from "../../../store/delivery-data-store.js";
import { dateFilter, labelFilter } from "./field-filters.js";
import { type FilterLanguage, namesOf } from "./filter-language.js";

const { date, analyticsLabel } = AndroidDeliveryDataSchema.field;

/** Filters of entries, which the store applies. */
export const ENTRY_FILTERS: FilterLanguage<EntryFilter> = {
  fields: [
    { names: namesOf(date), conditionOf: dateFilter },
    { names: namesOf(analyticsLabel), conditionOf: labelFilter },
  ],
  and: (operands) => ({ kind: "and", operands }),
  or: (operands) => ({ kind: "or", operands }),
  not: (operand) => ({ kind: "not", operand }),
};
