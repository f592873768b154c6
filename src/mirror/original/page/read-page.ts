import { AndroidDeliveryDataSchema } from "../../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { ListAndroidDeliveryDataResponseSchema } from "../../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { MAX_ID_LENGTH } from "../../../model/app-id.js";
import { type Day, formatDay } from "../../../model/day.js";
import type { MirroredEntry } from "../../mirrored-entry.js";
import { derivedCounts } from "./derived-counts.js";
import { firstDayOf } from "./first-day.js";
import { type KnownFields, knownFieldsReader } from "./known-fields.js";
import type { PageProblems } from "./page-problems.js";
import { readListing } from "./read-listing.js";

/** The usable content of a page of delivery data. */
export interface ReadPage {
  readonly entries: readonly MirroredEntry[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/** The app and the days that entries of a page may have. */
export interface ExpectedEntries {
  readonly appId: string;
  /** The last day that an entry may have. */
  readonly today: Day;
}

/** Entries read in one step, which takes about a millisecond. */
const ENTRIES_A_STEP = 128;

const ENTRIES = ListAndroidDeliveryDataResponseSchema.field.androidDeliveryData;
const readEntry = knownFieldsReader(AndroidDeliveryDataSchema);

/**
 * Reads the body of a page of delivery data, in steps. An entry that cannot be read, or that cannot be, is left out, and
 * the problem is told.
 *
 * @throws OriginalError with the fault `form` if the body is not a page.
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
  if (appId !== expected.appId) problems.tell("an entry is of another app", appId);
  else if (analyticsLabel !== "" && !isLabelOfAnyKind(analyticsLabel)) {
    problems.tell("analyticsLabel is too long, or has control characters", analyticsLabel);
  } else if (day === undefined) problems.tell("date is no date with a year", JSON.stringify(date));
  else if (day > expected.today) problems.tell("date is in the future", formatDay(day));
  else {
    const original = JSON.stringify(known);
    return { appId, day, label: analyticsLabel, original, counts: derivedCounts(data) };
  }
  return undefined;
}

/** The fields of an entry, as the reader of the contract has checked them. */
interface EntryFields {
  readonly appId?: string;
  readonly date?: KnownFields;
  readonly analyticsLabel?: string;
  readonly data?: KnownFields;
}

/** The original may allow other labels than Waybill does. */
const isLabelOfAnyKind = (label: string): boolean =>
  !/\p{Cc}/u.test(label) && (label.length <= MAX_ID_LENGTH || [...label].length <= MAX_ID_LENGTH);
