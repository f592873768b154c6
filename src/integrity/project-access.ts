/** Result of authorization: the project of the call. */
export interface ProjectAccess {
  readonly project: {
    readonly id: string;
    /** Project number, in decimal. */
    readonly number: string;
  };
}

/** Result of authorizing a change: the project and the caller. */
export interface EditorAccess extends ProjectAccess {
  readonly principal: { readonly name: string };
}
