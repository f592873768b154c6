/** A part that holds resources until it is closed. */
export interface Closable {
  /** @param graceMs time that work in progress has to finish, in milliseconds. */
  close(graceMs: number): Promise<void>;
}

/** Parts that were opened one after the other. */
export class OpenParts implements Closable {
  readonly #parts: Closable[] = [];

  /** Adds a part that has been opened, and returns it. */
  add<Part extends Closable>(part: Part): Part {
    this.#parts.push(part);
    return part;
  }

  /**
   * Closes the parts in reverse order, each also if another one fails to close.
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
 * Opens parts that belong together. If opening one of them fails, those that were added before are closed.
 *
 * @throws the error of the part that cannot be opened. Errors while closing the others only follow from it.
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
