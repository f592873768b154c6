/** A part of the server that holds resources until it is closed. */
export interface Closable {
  /** Closes the part. @param graceMs maximum time for work in progress, in milliseconds. */
  close(graceMs: number): Promise<void>;
}

/** Parts of the server that were opened one after another. */
export class OpenParts implements Closable {
  readonly #parts: Closable[] = [];

  /** Adds an open part and returns it. */
  add<Part extends Closable>(part: Part): Part {
    this.#parts.push(part);
    return part;
  }

  /** Closes all parts in reverse order. Continues if closing a part fails. @throws the first error. */
  async close(graceMs: number): Promise<void> {
    const errors: unknown[] = [];
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop()) {
      await part.close(graceMs).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  }
}

/**
 * Opens several parts. If one of them cannot be opened, closes the parts that are already open.
 *
 * @throws the error from the part that cannot be opened. Errors while closing the others are ignored.
 */
export async function openTogether<T>(open: (parts: OpenParts) => Promise<T>): Promise<T> {
  const parts = new OpenParts();
  try {
    return await open(parts);
  } catch (error) {
    await parts.close(0).catch(() => {});
    throw error;
  }
}
