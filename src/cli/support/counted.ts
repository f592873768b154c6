/** Returns a count with its noun: `1 day`, `2 days`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
