export const RULES: Readonly<
  Record<string, { readonly pattern: RegExp; readonly except?: RegExp; readonly use: string }>
>;
export function findHabits(text: string): { rule: string; index: number; words: string }[];
