/** Text for messages without a label. It cannot collide with a label, which has no parentheses. */
const UNLABELLED = "(unlabelled)";

/** Text that stands for a label on the page. */
export const labelText = (label: string): string => (label === "" ? UNLABELLED : label);
