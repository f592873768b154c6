/** Most groups that the service sums up in one request. */
const MAX_GROUPS = 10_000;
/** Most labels in one request, whose filter must fit into its URL. */
const MAX_LABELS = 24;

/**
 * Divides labels among requests for sums by day and label, within the service's limit of groups. Sorts the
 * labels first: the same labels make the same requests in any order.
 * @param days number of days in the range
 */
export function labelChunks(labels: readonly string[], days: number): readonly (readonly string[])[] {
  const size = Math.max(1, Math.min(MAX_LABELS, Math.floor(MAX_GROUPS / days)));
  const sorted = [...labels].sort();
  return Array.from({ length: Math.ceil(sorted.length / size) }, (_, index) =>
    sorted.slice(index * size, (index + 1) * size),
  );
}
