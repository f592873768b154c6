/** Result of authorization: the project of the call. */
export interface ProjectAccess {
  readonly project: {
    /** Project number, in decimal. */
    readonly number: string;
  };
}

/** Result of authorization: the project and the caller. */
export interface PrincipalAccess extends ProjectAccess {
  readonly principal: {
    /** Unique among the principals of its issuer. */
    readonly name: string;
    readonly issuer: string;
  };
}

/** Result of authorizing a call without a project: the projects that the caller may see. */
export interface EveryProjectAccess {
  readonly projects: readonly {
    readonly id: string;
    /** Project number, in decimal, without leading zeros. */
    readonly number: string;
  }[];
}
