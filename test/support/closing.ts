/** Registers work that runs after a fixture's test or file. */
export type OnCleanup = (work: () => Promise<void>) => void;

interface Closable {
  close(): unknown;
}

/** Closes a fixture's resource after its test or file. */
export function closedAtEnd<T extends Closable>(resource: T, onCleanup: OnCleanup): T {
  onCleanup(async () => void (await resource.close()));
  return resource;
}

/** Returns a fixture without dependencies, which opens a resource and closes it at the end. */
export const opening =
  <T extends Closable>(open: () => Promise<T>) =>
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern.
  async ({}, { onCleanup }: { onCleanup: OnCleanup }): Promise<T> =>
    closedAtEnd(await open(), onCleanup);
