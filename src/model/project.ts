/** A project by its two names, either of which addresses it (AIP-2510). */
export interface Project {
  readonly id: string;
  /** In decimal, without leading zeros. It never changes. */
  readonly number: string;
}

/** Returns true if the delivery data of a project, by its number in decimal, are mirrored from an upstream service. */
export type IsMirrored = (project: string) => boolean;
