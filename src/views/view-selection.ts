import { isAndroidAppId } from "../model/names.js";
import { type ChosenRange, chosenLabelsOf, chosenRangeOf } from "../presentation/chosen-range.js";

/** The app, days and labels of a view. */
export interface ViewSelection {
  readonly appId: string;
  readonly range: ChosenRange;
  /** "" for messages without a label. Undefined for all labels. */
  readonly labels: readonly string[] | undefined;
}

/** Reads which messages a view's query selects, as the console does. Undefined if the query names no app. */
export function viewSelectionOf(query: string): ViewSelection | undefined {
  const parameters = new URLSearchParams(query);
  const appId = parameters.get("app");
  if (appId === null || !isAndroidAppId(appId)) return undefined;
  return { appId, range: chosenRangeOf(parameters), labels: chosenLabelsOf(parameters) };
}
