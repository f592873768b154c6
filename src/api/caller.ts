import type { Project } from "../model/names.js";

/** The person or program that a call's credentials stand for. */
export interface Principal {
  /** Name in access rules, unique for its issuer. */
  readonly name: string;
  /** Configured name of the credentials' issuer. */
  readonly issuer: string;
  /** Unique across issuers. */
  readonly id: string;
}

/** Any caller. */
interface AnyCaller {
  /** Quotas and budgets are kept by it: the principal's id, or the remote network of a caller without one. */
  readonly budgetKey: string;
}

/** A caller in one project, with the required role on it. */
export interface ProjectCaller extends AnyCaller {
  readonly kind: "project";
  readonly principal: Principal;
  readonly project: Project;
}

/** A caller across projects. */
export interface EveryProjectCaller extends AnyCaller {
  readonly kind: "everyProject";
  readonly principal: Principal;
  /** The projects on which the principal has the required role, in registry order; possibly empty. */
  readonly projects: readonly Project[];
}

/** An app on a device, without an access token. Its method authenticates it. */
export interface AppCaller extends AnyCaller {
  readonly kind: "app";
  readonly project: Project;
}

/** An authorized caller, with the project or projects of the call. The method's contract decides which kind it is. */
export type Caller = ProjectCaller | EveryProjectCaller | AppCaller;
