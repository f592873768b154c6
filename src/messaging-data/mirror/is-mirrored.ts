/** Tells of a project, by its number in decimal, whether its delivery data are a mirror of another service's. */
export type IsMirrored = (project: string) => boolean;
