/** The most groups that the service sums up at once. */
const MAX_GROUPS = 10_000;
/** The most labels in one request, whose filter must fit into its address. */
const MAX_LABELS = 24;

/**
 * Divides labels among requests for sums by day and label, so that none has more groups than the service sums up at once.
 * In an order of their own, so that the same labels are asked for alike however they are sorted.
 *
 * @param days how many days are asked for
 */
export function labelChunks(labels: readonly string[], days: number): readonly (readonly string[])[] {
  const size = Math.max(1, Math.min(MAX_LABELS, Math.floor(MAX_GROUPS / days)));
  const sorted = [...labels].sort();
  return Array.from({ length: Math.ceil(sorted.length / size) }, (_, index) =>
    sorted.slice(index * size, (index + 1) * size),
  );
}
