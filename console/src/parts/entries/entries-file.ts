import { csvLine } from "#console/ui/files/csv.js";
import type { AndroidDeliveryDataJson } from "#src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { ENTRY_COLUMNS } from "./entry-fields.js";

/** A file format for entries. A file is the text of its pages between a head and a foot. */
export interface EntriesFormat {
  readonly title: string;
  readonly extension: string;
  readonly mediaType: string;
  readonly head: string;
  readonly foot: string;
  /** @param isFirst true if these are the first entries in the file. */
  readonly textOf: (entries: readonly AndroidDeliveryDataJson[], isFirst: boolean) => string;
}

/** One line for each entry, below a line with the field names of the contract. */
export const CSV: EntriesFormat = {
  title: "CSV",
  extension: "csv",
  mediaType: "text/csv;charset=utf-8;header=present",
  head: csvLine(ENTRY_COLUMNS.map(({ name }) => name)),
  foot: "",
  textOf: (entries) => entries.map((entry) => csvLine(ENTRY_COLUMNS.map(({ read }) => read(entry)))).join(""),
};

/** A response of the service with all entries on one page. */
export const JSON_FILE: EntriesFormat = {
  title: "JSON",
  extension: "json",
  mediaType: "application/json",
  head: '{"androidDeliveryData":[',
  foot: "\n]}\n",
  textOf: (entries, isFirst) =>
    entries.map((entry, index) => `${isFirst && index === 0 ? "" : ","}\n${JSON.stringify(entry)}`).join(""),
};
