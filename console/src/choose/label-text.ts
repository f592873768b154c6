/** What stands for messages without a label. No label can be called so: it has characters that labels have not. */
const UNLABELLED = "(unlabelled)";

/** A label as it is shown. */
export const labelText = (label: string): string => (label === "" ? UNLABELLED : label);
