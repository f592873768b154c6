import type { Incident } from "../incident.js";

/** Returns an ongoing fall of an app's delivered share, changed as requested. */
export const fall = (more: Partial<Incident> = {}): Incident => ({
  app: "app",
  label: undefined,
  kind: "OUTCOME_SHARE",
  isOfProject: false,
  nearest: "",
  outcome: "DELIVERED",
  firstDay: 20_000,
  lastDay: undefined,
  usual: 90,
  usualLow: 85,
  usualHigh: 95,
  observed: 50,
  excess: 100,
  ...more,
});
