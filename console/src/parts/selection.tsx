import { createContext, use } from "react";
import type { EntriesSelection } from "#console/api/requests.js";

/** The selection that the parts of the console show: the view with relative days resolved. */
export const SelectionContext = createContext<EntriesSelection | undefined>(undefined);

/** The current selection. @throws Error if no app is chosen. */
export function useSelection(): EntriesSelection {
  const selection = use(SelectionContext);
  if (selection === undefined) throw new Error("no app is chosen");
  return selection;
}
