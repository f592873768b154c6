import type { Project } from "../model/project.js";

/** The person or program that a call's credentials stand for. */
export interface Principal {
  /** Name in access rules, unique for its issuer. */
  readonly name: string;
  /** Configured name of the credentials' issuer. */
  readonly issuer: string;
  /** Unique across issuers. Quotas and budgets are kept by it. */
  readonly id: string;
}

/** A caller in one project, with the required role on it. */
export interface ProjectCaller {
  readonly kind: "project";
  readonly principal: Principal;
  readonly project: Project;
}

/** A caller across projects. */
export interface EveryProjectCaller {
  readonly kind: "everyProject";
  readonly principal: Principal;
  /** The projects on which the principal has the required role, in registry order; possibly empty. */
  readonly projects: readonly Project[];
}

/**
 * An authorized caller, with the project or projects of the call. The method's `every_project` in the
 * contract decides which kind it is.
 */
export type Caller = ProjectCaller | EveryProjectCaller;
