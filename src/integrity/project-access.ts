/** What authorization found out about a call: which project it is about. */
export interface ProjectAccess {
  readonly project: {
    readonly id: string;
    /** In decimal. */
    readonly number: string;
  };
}

/** What authorization found out about a call that changes something: also who calls. */
export interface EditorAccess extends ProjectAccess {
  readonly principal: { readonly name: string };
}
