/** What authorization found out about a call: which project it is about. */
export interface ProjectAccess {
  readonly project: {
    /** In decimal. */
    readonly number: string;
  };
}

/** The same, and who calls. */
export interface PrincipalAccess extends ProjectAccess {
  readonly principal: {
    /** Unique among the principals of its issuer. */
    readonly name: string;
    readonly issuer: string;
  };
}

/** What authorization found out about a call that is in every project: those that the caller may see. */
export interface EveryProjectAccess {
  readonly projects: readonly {
    readonly id: string;
    /** In decimal, without leading zeros. */
    readonly number: string;
  }[];
}
