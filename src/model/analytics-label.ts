/** Longest label, in characters, all of which are ASCII. */
export const MAX_LABEL_LENGTH = 50;

const LABEL = new RegExp(`^[a-zA-Z0-9\\-_.~%]{1,${MAX_LABEL_LENGTH}}$`);

/** Whether a text can be the `AnalyticsLabel` of a message. The empty text is not one: it stands for no label. */
export const isLabel = (text: string): boolean => LABEL.test(text);
