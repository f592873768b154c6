/** Longest label, in characters. All of them are ASCII. */
export const MAX_LABEL_LENGTH = 50;

const LABEL = new RegExp(`^[a-zA-Z0-9\\-_.~%]{1,${MAX_LABEL_LENGTH}}$`);

/**
 * Returns true if a text is a valid `AnalyticsLabel`. The empty text is not: it stands for the absence of a
 * label.
 */
export const isLabel = (text: string): boolean => LABEL.test(text);
