import type { ChangedRecord, RecordChanges } from "./records.js";

/** Minimum number of records in a page, unless it is the last one. */
export const RECORDS_A_PAGE = 5_000;

/** A page of records that have changed after a position, each with its last change. All are read at the same moment. */
export interface ChangesPage {
  /**
   * Oldest change first. Contains all changes of each revision. Fewer than {@link RECORDS_A_PAGE} if no further records
   * are left.
   */
  readonly records: readonly ChangedRecord[];
  /** The last revision of all records. */
  readonly last: number;
  /** Highest revision of records that were removed completely; 0 if there are none. */
  readonly forgotten: number;
  /** False if the database has lost the revision `base`, and perhaps earlier ones. */
  readonly isKnown: boolean;
}

/**
 * Lists followed records with their last change since a revision, in pages. Starts over with all records if the list
 * might lack a deletion, because the record was removed completely.
 *
 * @param readPage reads the records after a position. `base` is an earlier last revision; 0 if there is none.
 */
export async function* changesInPages(
  revision: number,
  readPage: (position: number, base: number) => Promise<ChangesPage>,
): AsyncGenerator<RecordChanges> {
  let [position, base] = [revision, revision];
  /** Deletions up to this revision are in the list, or happened before all listed changes. */
  let known = revision;
  for (;;) {
    const { records, last, forgotten, isKnown } = await readPage(position, base);
    const isWhole = position === 0;
    if (isWhole) known = forgotten;
    else if (!isKnown || forgotten > Math.max(known, position)) {
      [position, base] = [0, 0];
      continue;
    }
    const isLast = records.length < RECORDS_A_PAGE;
    position = isLast ? last : (records.at(-1)?.revision ?? position);
    base = last;
    yield { isWhole, records, revision: position };
    if (isLast) return;
  }
}
