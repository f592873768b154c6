/** A choice in a picker. */
export interface Option {
  readonly value: string;
  readonly text: string;
  /** Other names, shown below the text. The search finds them too. */
  readonly names?: readonly string[] | undefined;
  /** Small text next to the option. */
  readonly note?: string | undefined;
}

/**
 * Returns the options that contain the search text in their text or in another name. An exact match comes first, then
 * options with a name that starts with the search text. Otherwise, keeps the order.
 */
export function foundOptions(options: readonly Option[], search: string): readonly Option[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === "") return options;
  const ranked: [exact: Option[], starting: Option[], containing: Option[]] = [[], [], []];
  for (const option of options) {
    const ranks = [option.text, ...(option.names ?? [])].map((name) => rankOf(name.toLowerCase(), wanted));
    ranked[Math.min(...ranks)]?.push(option);
  }
  return ranked.flat();
}

/** Ranks a name; infinite without the search text. */
function rankOf(name: string, wanted: string): number {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  return name.includes(wanted) ? 2 : Number.POSITIVE_INFINITY;
}
