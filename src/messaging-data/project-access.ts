/** What authorization found out about a call: which project it is about. */
export interface ProjectAccess {
  readonly project: {
    /** In decimal. */
    readonly number: string;
  };
}
