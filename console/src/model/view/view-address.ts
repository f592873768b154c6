import { formatDay } from "#src/model/day.js";
import { chosenLabelsOf, chosenRangeOf, DEFAULT_RANGE, rangeOf } from "#src/presentation/chosen-range.js";
import { INCIDENT_STATES, type IncidentState } from "../figures/inbox-incident.js";
import { EARLIER } from "./chosen-range.js";
import { type Comparison, defaultTab, type Sorting, TABS, type View } from "./view.js";

/** Parses a view from a URL query. Ignores invalid parameters. */
export function viewOf(query: string): View {
  const parameters = new URLSearchParams(query);
  const app = parameters.get("app") || undefined;
  return {
    project: parameters.get("project") || undefined,
    app,
    attestedApp: parameters.get("attested") || undefined,
    tab: TABS.find((tab) => tab === parameters.get("tab")) ?? defaultTab(app),
    range: chosenRangeOf(parameters),
    earlier: EARLIER.find((earlier) => earlier === parameters.get("earlier")) ?? EARLIER[0],
    labels: chosenLabelsOf(parameters),
    comparison: comparisonOf(parameters),
    sorting: sortingOf(parameters.get("sort")),
    category: parameters.get("category") || undefined,
    isUndelivered: parameters.get("outcomes") !== "all",
    asCounts: parameters.get("as") === "counts",
    incidentState: stateOf(parameters.get("state")),
    page: Number(/^[1-9]\d{0,5}$/.exec(parameters.get("page") ?? "")?.[0] ?? 1),
  };
}

/** Formats a view as a URL query, `?project=…`, without default values. */
export function queryOf(view: View): string {
  const parameters = new URLSearchParams();
  const set = (name: string, value: string | undefined): void => {
    if (value !== undefined) parameters.append(name, value);
  };
  set("project", view.project);
  set("app", view.app);
  set("attested", view.attestedApp);
  if (view.tab !== defaultTab(view.app)) set("tab", view.tab);
  if (view.range.kind === "own") {
    set("from", formatDay(view.range.range.first));
    set("to", formatDay(view.range.range.last));
  } else if (view.range.kind === "since") {
    set("from", formatDay(view.range.first));
  } else if (view.range.kind === "preset") {
    set("range", view.range.preset);
  } else if (view.range.days !== DEFAULT_RANGE.days) {
    set("days", String(view.range.days));
  }
  if (view.earlier !== EARLIER[0]) set("earlier", view.earlier);
  for (const label of view.labels ?? []) set("label", label);
  if (view.comparison.kind === "ranges") {
    const { other } = view.comparison;
    set("compare", "ranges");
    set("otherFrom", other && formatDay(other.first));
    set("otherTo", other && formatDay(other.last));
  } else {
    set("left", view.comparison.left);
    set("right", view.comparison.right);
  }
  if (view.sorting !== undefined) set("sort", (view.sorting.descending ? "-" : "") + view.sorting.column);
  set("category", view.category);
  if (!view.isUndelivered) set("outcomes", "all");
  if (view.asCounts) set("as", "counts");
  if (view.incidentState !== INCIDENT_STATES[0]) set("state", view.incidentState.toLowerCase());
  if (view.page > 1) set("page", String(view.page));
  const query = parameters.toString();
  return query === "" ? "" : `?${query}`;
}

function comparisonOf(parameters: URLSearchParams): Comparison {
  if (parameters.get("compare") === "ranges") {
    return { kind: "ranges", other: rangeOf(parameters.get("otherFrom"), parameters.get("otherTo")) };
  }
  return {
    kind: "labels",
    left: parameters.get("left") ?? undefined,
    right: parameters.get("right") ?? undefined,
  };
}

const stateOf = (text: string | null): IncidentState =>
  INCIDENT_STATES.find((state) => state.toLowerCase() === text) ?? INCIDENT_STATES[0];

function sortingOf(text: string | null): Sorting | undefined {
  const [, minus, column] = /^(-?)(\w+)$/.exec(text ?? "") ?? [];
  return column === undefined ? undefined : { column, descending: minus === "-" };
}
