import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { EntriesSelection } from "../api/requests.js";

/**
 * The selection that a query's figures belong to: the current one or, while placeholder data is shown, the
 * previous one. Undefined if unknown.
 */
export function useShownSelection(
  { data, isPlaceholderData }: Pick<UseQueryResult, "data" | "isPlaceholderData">,
  selection: EntriesSelection,
): EntriesSelection | undefined {
  const [settled, setSettled] = useState<EntriesSelection>();
  if (data !== undefined && !isPlaceholderData && settled !== selection) setSettled(selection);
  return isPlaceholderData ? settled : selection;
}
