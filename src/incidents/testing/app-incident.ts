import type { AppIncident, IdentifiedIncident } from "../list/app-incident.js";

/** An incident of the whole app `app` since 1 January 1970, with some properties replaced. */
export const appIncident = (of: Partial<AppIncident> = {}): AppIncident => ({
  appId: "app",
  label: undefined,
  outcome: "delivered",
  startDay: 0,
  usualPercent: 90,
  usualLowPercent: 88,
  usualHighPercent: 92,
  observedPercent: 36,
  excessMessageCount: 5,
  confidence: 1,
  ...of,
});

/** An {@link appIncident} with an id. */
export const identifiedIncident = ({
  id = "1d",
  ...of
}: Partial<IdentifiedIncident> = {}): IdentifiedIncident => ({ ...appIncident(of), id });
