import { AndroidDeliveryDataSchema } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { ListAndroidDeliveryDataResponseSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { civilDate, type Day, dayOfCivil, formatDay } from "../../model/day.js";
import { MAX_ID_LENGTH } from "../../model/names.js";
import type { EntryContent, EntryForms } from "./entry-form.js";
import { isJsonObject, knownFieldsReader, PageProblems } from "./known-fields.js";
import { PageText, tokensPattern } from "./page-text.js";
import { listingOf, readListing } from "./read-listing.js";
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

/**
 * If {@link EntryForms} does not recognize more entries than this number and an eighth of a page, it is faster to parse
 * the page as a whole.
 */
const MISSES = 16;

const ENTRIES = ListAndroidDeliveryDataResponseSchema.field.androidDeliveryData;
const ENTRIES_NAMES = [ENTRIES.jsonName, ENTRIES.name];
const readEntry = knownFieldsReader(AndroidDeliveryDataSchema);

/**
 * Parses a page of delivery data step by step. Leaves out entries that cannot be read or cannot be right, and reports
 * them as problems.
 *
 * @param forms forms of entries on earlier pages. The forms of this page are added.
 * @throws UpstreamError of kind `form` if the body is not a page.
 */
export function* readPage(
  body: Uint8Array,
  expected: ExpectedEntries,
  problems: PageProblems,
  forms: EntryForms,
): Generator<void, ReadPage> {
  const page = yield* readByForm(body, expected, problems, forms);
  if (page !== undefined) return page;
  const { items, nextPageToken } = readListing(body, ENTRIES_NAMES, problems);
  const entries: MirroredEntry[] = [];
  for (const [index, json] of items.entries()) {
    if (index % ENTRIES_A_STEP === 0) yield;
    const known = readEntry(json, problems);
    const entry = known && mirroredEntry(forms.entryOf(known), expected, problems);
    if (entry !== undefined) entries.push(entry);
  }
  return { entries, nextPageToken };
}

const BEFORE_ENTRIES = tokensPattern(["", "\\{", `"${ENTRIES.jsonName}"`, ":", "\\[", "(?=\\{)"]);
const BETWEEN_ENTRIES = tokensPattern(["", ",", "(?=\\{)"]);
const AFTER_ENTRIES = tokensPattern(["", "\\]"]);
/** Start of a page in JSON, before the fields that follow the entries. */
const START = '{"nextPageToken":null';

/**
 * Parses a page with {@link EntryForms}, which is several times as fast as parsing the whole page as JSON. Only
 * entries with new forms are parsed as JSON.
 *
 * @returns `undefined` if the page begins with other fields, has too many entries with new forms, or is invalid. No
 * problems were added then.
 */
function* readByForm(
  body: Uint8Array,
  expected: ExpectedEntries,
  problems: PageProblems,
  forms: EntryForms,
): Generator<void, ReadPage | undefined> {
  const page = PageText.of(body);
  if (page?.match(BEFORE_ENTRIES) === undefined) return undefined;
  const entries: MirroredEntry[] = [];
  // Problems of entries come after problems of the page itself.
  const ofEntries = new PageProblems();
  let misses = 0;
  for (let index = 0; index === 0 || page.match(BETWEEN_ENTRIES) !== undefined; index++) {
    if (index % ENTRIES_A_STEP === 0) yield;
    let content = forms.read(page);
    if (content === undefined) {
      const json = page.parseObject();
      if (json === undefined || ++misses > MISSES + index / 8) return undefined;
      const known = readEntry(json, ofEntries);
      content = known && forms.entryOf(known);
    }
    const entry = content && mirroredEntry(content, expected, ofEntries);
    if (entry !== undefined) entries.push(entry);
  }
  if (page.match(AFTER_ENTRIES) === undefined) return undefined;
  const rest = page.parseRest(START);
  if (!isJsonObject(rest) || ENTRIES_NAMES.some((name) => name in rest)) return undefined;
  const { nextPageToken } = listingOf(rest, ENTRIES_NAMES, problems);
  for (const text of ofEntries.texts) problems.add(text);
  return { entries, nextPageToken };
}

function mirroredEntry(
  { appId, label, date, original, counts }: EntryContent,
  expected: ExpectedEntries,
  problems: PageProblems,
): MirroredEntry | undefined {
  const day = firstDayOf(date);
  if (appId !== expected.appId) problems.add("an entry belongs to another app", appId);
  else if (label !== "" && !isLabelOfAnyKind(label)) {
    problems.add("analyticsLabel is too long or contains control characters", label);
  } else if (day === undefined) problems.add("date is not a date with a year", JSON.stringify(date));
  else if (day > expected.today) problems.add("date is in the future", formatDay(day));
  else return { appId: expected.appId, day, label, original, counts };
  return undefined;
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
function firstDayOf({ year = 0, month = 0, day = 0 }: EntryContent["date"]): Day | undefined {
  if (year < 1 || year > 9999 || month < 0 || month > 12 || day < 0 || day > 31) return undefined;
  if (month === 0) return day === 0 ? dayOfCivil(year, 1, 1) : undefined;
  const first = dayOfCivil(year, month, day || 1);
  return day <= 28 || civilDate(first).month === month ? first : undefined;
}
