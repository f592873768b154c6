import { ApiError } from "../api/api-error.js";

/** Page sizes of a list. */
export interface PageSizes {
  /** Page size for requests that ask for 0 or leave it out. */
  readonly ofDefault: number;
  /** Maximum page size; larger requests are reduced to it. */
  readonly most: number;
}

/** Page sizes of lists for which the contract says nothing else. */
const USUAL: PageSizes = { ofDefault: 100, most: 1_000 };

/**
 * The effective size of a page for the `page_size` of a request (AIP-158).
 *
 * @throws ApiError `INVALID_PAGE_SIZE` if it is negative.
 */
export function effectivePageSize(pageSize: number, { ofDefault, most }: PageSizes = USUAL): number {
  if (pageSize < 0)
    throw ApiError.invalidArgument("INVALID_PAGE_SIZE", "pageSize", "it must not be negative");
  return pageSize === 0 ? ofDefault : Math.min(pageSize, most);
}
