import { AndroidDeliveryDataSchema } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { ListAndroidDeliveryDataResponseSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { DATA_FIELDS } from "../../messaging-data/delivery-data/encode/figure-fields.js";
import { at } from "../../model/collections.js";
import { civilDate, type Day, dayOfCivil, formatDay } from "../../model/day.js";
import { MAX_ID_LENGTH } from "../../model/names.js";
import { COUNTS } from "../../store/delivery-data-store.js";
import { type KnownFields, knownFieldsReader, type PageProblems } from "./known-fields.js";
import { readListing } from "./read-listing.js";
import type { MirroredEntry } from "./upstream.js";

/** The usable entries of a page of delivery data. */
export interface ReadPage {
  readonly entries: readonly MirroredEntry[];
  /** Token of the next page. Empty on the last page. */
  readonly nextPageToken: string;
}

/** App id and days that a page's entries must have. */
export interface ExpectedEntries {
  readonly appId: string;
  /** Last day that an entry may have. */
  readonly today: Day;
}

/** Number of entries to process in one step, which needs about a millisecond. */
const ENTRIES_A_STEP = 128;

const ENTRIES = ListAndroidDeliveryDataResponseSchema.field.androidDeliveryData;
const readEntry = knownFieldsReader(AndroidDeliveryDataSchema);

/**
 * Parses a page of delivery data step by step. Leaves out entries that cannot be read or cannot be right, and reports
 * them as problems.
 *
 * @throws UpstreamError of kind `form` if the body is not a page.
 */
export function* readPage(
  body: Uint8Array,
  expected: ExpectedEntries,
  problems: PageProblems,
): Generator<void, ReadPage> {
  const { items, nextPageToken } = readListing(body, [ENTRIES.jsonName, ENTRIES.name], problems);
  const entries: MirroredEntry[] = [];
  for (const [index, json] of items.entries()) {
    if (index % ENTRIES_A_STEP === 0) yield;
    const known = readEntry(json, problems);
    const entry = known === undefined ? undefined : mirroredEntry(known, expected, problems);
    if (entry !== undefined) entries.push(entry);
  }
  return { entries, nextPageToken };
}

function mirroredEntry(
  known: KnownFields,
  expected: ExpectedEntries,
  problems: PageProblems,
): MirroredEntry | undefined {
  const { appId = "", date = {}, analyticsLabel = "", data } = known as EntryFields;
  const day = firstDayOf(date);
  if (appId !== expected.appId) problems.add("an entry belongs to another app", appId);
  else if (analyticsLabel !== "" && !isLabelOfAnyKind(analyticsLabel)) {
    problems.add("analyticsLabel is too long or contains control characters", analyticsLabel);
  } else if (day === undefined) problems.add("date is not a date with a year", JSON.stringify(date));
  else if (day > expected.today) problems.add("date is in the future", formatDay(day));
  else {
    const original = JSON.stringify(known);
    return { appId, day, label: analyticsLabel, original, counts: derivedCounts(data) };
  }
  return undefined;
}

/** Fields of an entry that {@link readEntry} has checked. */
interface EntryFields {
  readonly appId?: string;
  readonly date?: KnownFields;
  readonly analyticsLabel?: string;
  readonly data?: KnownFields;
}

/** Upstream may have labels that Waybill itself would reject. */
const isLabelOfAnyKind = (label: string): boolean =>
  !/\p{Cc}/u.test(label) && (label.length <= MAX_ID_LENGTH || [...label].length <= MAX_ID_LENGTH);

/**
 * Returns the first day of a date that may lack its day or month (specification 2.4). Returns `undefined` if the date
 * has no year or does not exist.
 *
 * @param date JSON form of a `google.type.Date`.
 */
function firstDayOf(date: KnownFields): Day | undefined {
  const { year = 0, month = 0, day = 0 } = date as Readonly<Record<string, number>>;
  if (year < 1 || year > 9999 || month < 0 || month > 12 || day < 0 || day > 31) return undefined;
  if (month === 0) return day === 0 ? dayOfCivil(year, 1, 1) : undefined;
  const first = dayOfCivil(year, month, day || 1);
  return day <= 28 || civilDate(first).month === month ? first : undefined;
}

/**
 * Derives counts from an entry's figures. If a figure is a percentage, its count is rounded to an integer. The count is
 * exact unless upstream has rounded the percentage.
 *
 * @param data JSON form of `Data`.
 * @returns counts in the order of `COUNTS`; `undefined` if the figures lack the number of accepted messages or their
 * outcomes.
 */
function derivedCounts(data: KnownFields | undefined): readonly number[] | undefined {
  const { countMessagesAccepted, messageOutcomePercents } = data ?? {};
  if (data === undefined || countMessagesAccepted === undefined) return undefined;
  if (Number(countMessagesAccepted) > 0 && messageOutcomePercents === undefined) return undefined;
  const counts = new Array<number>(COUNTS.length).fill(0);
  for (const { name, column } of NUMBERS) counts[column] = Number(data[name] ?? 0);
  for (const { name, denominator, columns } of GROUPS) {
    const percentages = data[name];
    if (typeof percentages !== "object") continue;
    const whole = at(counts, denominator);
    for (const [figure, percentage] of Object.entries(percentages)) {
      const column = columns.get(figure);
      if (column !== undefined) counts[column] = Math.round((Number(percentage) * whole) / 100);
    }
  }
  return counts;
}

/** Figures that are counts, with their names in JSON. */
const NUMBERS = DATA_FIELDS.flatMap((figure) =>
  figure.kind === "count" ? [{ name: figure.field.jsonName, column: figure.column }] : [],
);

/** Groups of percentages, with their counts' columns. */
const GROUPS = DATA_FIELDS.flatMap((figure) => {
  if (figure.kind === "count") return [];
  const columns = new Map(figure.percents.map(({ field, column }) => [field.jsonName, column]));
  return [{ name: figure.field.jsonName, denominator: figure.denominator, columns }];
});
