import type { Day } from "../../model/day.js";
import type { IdentifiedIncident } from "../list/incident-ids.js";

/** State of an incident that is told: it goes on, it has ended, or it is none after all because of late events. */
export type IncidentState = "started" | "ended" | "withdrawn";

/** An incident as a webhook knows it. */
export interface ToldIncident {
  /** Prefix of the ids of its messages. Unique, since several webhooks may have the same address. */
  readonly key: string;
  /** The incident when its state or its days changed last. */
  readonly incident: IdentifiedIncident;
  readonly state: IncidentState;
  /** Number of the state among those of the incident, from 1. */
  readonly change: number;
  /** When the state was found, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** The state that was told last; missing before the first. */
  readonly told?: IncidentState;
  /** A state that is not told: it was old when it was found, or could not be delivered for too long. */
  readonly skipped?: IncidentState;
  /** True if the receiver may know the incident although nothing was told: an attempt got no response. */
  readonly isUncertain?: boolean;
}

/** The incidents of a project as a webhook knows them. */
export interface ToldIncidents {
  /** Last day that was judged. */
  readonly until: Day;
  /** Those that go on, and those that ended lately. */
  readonly incidents: readonly ToldIncident[];
}

/** Returns true if the state of an incident is still to be told. */
export const isDue = ({ state, told, skipped }: ToldIncident): boolean => state !== told && state !== skipped;

/** Identifies a state of an incident: the same for each attempt to tell it. */
export const messageIdOf = ({ key, change }: ToldIncident): string => `${key}-${change}`;
