import { labelText } from "#src/presentation/field-text.js";

/** Names the chosen labels. Undefined stands for all. */
export function labelsText(labels: readonly string[] | undefined): string {
  if (labels === undefined) return "All labels";
  const [first = ""] = labels;
  return labels.length === 1 ? labelText(first) : `${labels.length} labels`;
}
