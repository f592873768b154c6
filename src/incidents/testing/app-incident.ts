import type { Incident } from "../detection/incident.js";

/** An incident of an outcome's share, of an app. */
export type ShareIncident = Incident & { readonly appId: string };

/** An incident of the whole app `app` since 1 January 1970, with some properties replaced. */
export const appIncident = (of: Partial<ShareIncident> = {}): ShareIncident => ({
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
}: Partial<ShareIncident & { readonly id: string }> = {}): ShareIncident & { readonly id: string } => ({
  ...appIncident(of),
  id,
});
