import { createContext, use } from "react";
import type { EntriesSelection } from "../api/requests.js";

/** What the parts of the console show: the view, with what is relative in it resolved. */
export const SelectionContext = createContext<EntriesSelection | undefined>(undefined);

/** What is selected. Only below the choice of an app. */
export function useSelection(): EntriesSelection {
  const selection = use(SelectionContext);
  if (selection === undefined) throw new Error("no app is chosen");
  return selection;
}
