/** Small documents that all processes of a server share, each replaced as a whole. */
export interface DocumentStore {
  /**
   * Reads a document.
   *
   * @param name letters, digits, dots and hyphens.
   * @returns its text; `undefined` if there is none.
   * @throws StoreUnavailableError if the documents cannot be reached.
   */
  read(name: string): Promise<string | undefined>;

  /**
   * Replaces a document, unless another process was faster. The new text is on disk when this resolves.
   *
   * @param before its text as it was read; `undefined` to make the document.
   * @returns false if the document is not `before` any more; nothing has changed then.
   * @throws StoreUnavailableError if that fails; the text may have been replaced.
   */
  replace(name: string, before: string | undefined, after: string): Promise<boolean>;
}
