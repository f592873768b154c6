import { ApiError } from "../api/api-error.js";

/** The sizes that the pages of a list have. */
export interface PageSizes {
  /** If the request says 0 or nothing. */
  readonly ofDefault: number;
  /** If the request asks for more. */
  readonly most: number;
}

/** The sizes of lists for which the contract says nothing else. */
const USUAL: PageSizes = { ofDefault: 100, most: 1_000 };

/**
 * The size of a page by the `page_size` of a request (AIP-158).
 *
 * @throws ApiError `INVALID_PAGE_SIZE` if it is negative.
 */
export function effectivePageSize(pageSize: number, { ofDefault, most }: PageSizes = USUAL): number {
  if (pageSize < 0)
    throw ApiError.invalidArgument("INVALID_PAGE_SIZE", "pageSize", "it must not be negative");
  return pageSize === 0 ? ofDefault : Math.min(pageSize, most);
}
