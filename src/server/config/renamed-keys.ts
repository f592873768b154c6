/** A key of the configuration file that was given by its old name. */
export interface RenamedKey {
  readonly from: string;
  readonly to: string;
}

/**
 * Chooses between the values of a key under its new and its old name.
 *
 * @param onBoth called if both are given.
 * @returns the value, and the renaming if the old name was used.
 */
export function readRenamed<T>(
  key: RenamedKey,
  values: { readonly now: T | undefined; readonly before: T | undefined },
  onBoth: (key: RenamedKey) => void,
): { readonly value: T | undefined; readonly renamed: readonly RenamedKey[] } {
  const { now, before } = values;
  if (before === undefined) return { value: now, renamed: [] };
  if (now !== undefined) onBoth(key);
  return { value: before, renamed: [key] };
}

/** Returns a warning about keys with old names, for the log. */
export const renamedKeysWarning = (keys: readonly RenamedKey[]): string =>
  "the configuration has keys under old names, which later versions will not read: write " +
  keys.map(({ from, to }) => `${to} for ${from}`).join(", ");
