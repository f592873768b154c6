import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { EntriesSelection } from "../api/requests.js";

/**
 * What the figures of a query are of: what is selected, or what was selected before as long as its figures stay in place of
 * those that are on their way. Undefined if nobody knows.
 */
export function useShownSelection(
  { data, isPlaceholderData }: Pick<UseQueryResult, "data" | "isPlaceholderData">,
  selection: EntriesSelection,
): EntriesSelection | undefined {
  const [settled, setSettled] = useState<EntriesSelection>();
  if (data !== undefined && !isPlaceholderData && settled !== selection) setSettled(selection);
  return isPlaceholderData ? settled : selection;
}
