/** Joins class names, without those that are absent. */
export const joinClasses = (...names: readonly (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(" ") || undefined;
