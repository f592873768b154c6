/** A key is unusable. The message is one line that says where the key is. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}

/** A secret that a server made for itself. */
export interface Secret {
  readonly text: string;
  /** Place of the secret, for messages to operators: a path, for example. */
  readonly place: string;
}

/** The keys that all processes of a server share. */
export interface KeyStore {
  /**
   * Returns a secret, which is made on first use. All that make it at the same time get the same one.
   *
   * @param name name of the secret: letters, digits, dots and hyphens.
   * @param make makes the text of the secret, on one line.
   * @throws KeyError if the secret can be neither read nor made.
   */
  secret(name: string, make: () => string): Promise<Secret>;
}
