import { isDeepStrictEqual } from "node:util";
import type { AndroidDeliveryDataJson } from "../../src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { type Entry, entryName, inListOrder } from "../../test/support/data/delivery-data.js";
import type { Page } from "../callers/caller.js";

/** All entries of the pages. @throws Error if an entry is repeated or out of order. */
export function entriesOf(pages: readonly Page[]): readonly AndroidDeliveryDataJson[] {
  const entries = pages.flatMap(({ androidDeliveryData = [] }) => androidDeliveryData);
  for (const [index, entry] of entries.slice(1).entries()) {
    const before = entries[index] as Entry;
    if (inListOrder(before, entry as Entry) >= 0) {
      throw new Error(`${entryName(entry as Entry)} is listed after ${entryName(before)}`);
    }
  }
  return entries;
}

export const namesOf = (entries: readonly AndroidDeliveryDataJson[]): ReadonlySet<string> =>
  new Set(entries.map((entry) => entryName(entry as Entry)));

/** Describes the first difference between a list and the expected one; undefined if they are equal. */
export function difference(
  listed: readonly AndroidDeliveryDataJson[],
  expected: readonly AndroidDeliveryDataJson[],
): string | undefined {
  if (isDeepStrictEqual(listed, expected)) return undefined;
  const at = listed.findIndex((entry, index) => !isDeepStrictEqual(entry, expected[index]));
  const index = at < 0 ? listed.length : at;
  const [found, wanted] = [listed[index], expected[index]].map((entry) => JSON.stringify(entry));
  return `${listed.length} entries of ${expected.length}, at ${index} ${found} instead of ${wanted}`;
}
