import type { Project } from "../model/project.js";

/** The person or program that a call's credentials stand for. */
export interface Principal {
  /** Name in access rules, unique among the principals of its issuer. */
  readonly name: string;
  /** Configured name of the issuer of the credentials. */
  readonly issuer: string;
  /** Unique across issuers. Quotas and budgets are kept by it. */
  readonly id: string;
}

/** The caller of a method in one project, on which the principal has the required role. */
export interface ProjectCaller {
  readonly kind: "project";
  readonly principal: Principal;
  readonly project: Project;
}

/** The caller of a method across projects. */
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
