import type { IncidentDays } from "../detection/incident.js";

/** Almost no messages, considerably fewer than usual, or considerably more. */
export type VolumeKind = "silence" | "fall" | "rise";

/** Property of an incident's messages that identifies it, instead of an outcome. Silences and falls share one. */
export const VOLUME_CHANGES = ["fewerAccepted", "moreAccepted"] as const;

/** A run of days with fewer or more accepted messages than usual. */
export interface VolumeIncident extends IncidentDays {
  readonly outcome: (typeof VOLUME_CHANGES)[number];
  readonly kind: VolumeKind;
  /** Usual number of messages on these days, with its usual range. */
  readonly usualMessageCount: number;
  readonly usualLowMessageCount: number;
  readonly usualHighMessageCount: number;
  readonly observedMessageCount: number;
  /** True if no app of the project had messages on these days. */
  readonly isOfProject: boolean;
}
