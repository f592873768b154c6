/** A part that holds resources until it is closed. */
export interface Closable {
  /** @param graceMs time limit for work in progress, in milliseconds. */
  close(graceMs: number): Promise<void>;
}

/** Parts that were opened one by one. */
export class OpenParts implements Closable {
  readonly #parts: Closable[] = [];

  /** Adds an open part, and returns it. */
  add<Part extends Closable>(part: Part): Part {
    this.#parts.push(part);
    return part;
  }

  /**
   * Closes all parts in reverse order, even if some fail to close.
   *
   * @throws the first error of a part.
   */
  async close(graceMs: number): Promise<void> {
    const errors: unknown[] = [];
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop()) {
      await part.close(graceMs).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  }
}

/**
 * Opens parts that belong together. If one cannot be opened, closes the parts before it.
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
