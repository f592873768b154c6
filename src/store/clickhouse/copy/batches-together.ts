/** Joins batches until they have at least `rows` rows together, except for the last ones. Leaves out empty batches. */
export async function* batchesTogether<Batch extends { readonly length: number }>(
  batches: AsyncIterable<Batch>,
  rows: number,
): AsyncGenerator<readonly Batch[]> {
  let together: Batch[] = [];
  let length = 0;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    together.push(batch);
    length += batch.length;
    if (length < rows) continue;
    yield together;
    together = [];
    length = 0;
  }
  if (together.length > 0) yield together;
}
