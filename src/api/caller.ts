import type { Project } from "../model/names.js";

/** The authenticated person or program. */
export interface Principal {
  /** Name in access rules, unique per issuer. */
  readonly name: string;
  /** Configured name of the credentials' issuer. */
  readonly issuer: string;
  /** Unique across issuers. */
  readonly id: string;
}

/** Any caller. */
interface AnyCaller {
  /** Key of the caller's quotas and budgets: the principal's id, or else the remote network. */
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

/** An authorized caller, with the call's project or projects. The method's contract determines the kind. */
export type Caller = ProjectCaller | EveryProjectCaller | AppCaller;
