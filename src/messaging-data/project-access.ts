/** A project as requests and stores name it. */
export interface Project {
  readonly id: string;
  /** In decimal. */
  readonly number: string;
}

/** What authorization found out about a call: which project it is about. */
export interface ProjectAccess {
  readonly project: Project;
}
