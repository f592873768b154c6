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

/**
 * Finds the next option with a text that starts with typed letters. A single letter skips the current
 * option, so that typing it again moves on. Returns its index, or undefined.
 */
export function typedOption(options: readonly Option[], typed: string, current: number): number | undefined {
  const wanted = typed.toLowerCase();
  const isSame = [...wanted].every((letter) => letter === wanted[0]);
  const prefix = isSame ? wanted.slice(0, 1) : wanted;
  const start = isSame ? current + 1 : current;
  for (let step = 0; step < options.length; step += 1) {
    const index = (start + step) % options.length;
    if (options[index]?.text.toLowerCase().startsWith(prefix)) return index;
  }
  return undefined;
}
