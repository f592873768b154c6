import type { Project, ProjectNumber } from "../model/names.js";

/** The authenticated person or program. */
export interface Principal {
  /** Name in access rules, unique per issuer. */
  readonly name: string;
  /** Configured name of the credentials' issuer. */
  readonly issuer: string;
  /** Unique across issuers. */
  readonly id: string;
  /** {@link principalId} of the token's `sub`, if that is not the name. */
  readonly subjectId?: string | undefined;
}

/** Returns the {@link Principal.id} of an issuer's principal. */
export const principalId = (issuer: string, name: string): string => JSON.stringify([issuer, name]);

/** Any caller. */
interface AnyCaller {
  /** Key of the caller's quotas and budgets: the principal's id, or else the remote network. */
  readonly budgetKey: string;
  /** Returns the remote network: an IPv4 address, or the /64 network of an IPv6 address. */
  readonly networkOf: () => string;
}

/** A caller in one project, with the required role on it. */
export interface ProjectCaller extends AnyCaller {
  readonly kind: "project";
  readonly principal: Principal;
  readonly project: Project;
  /**
   * Checks the role again, for calls that last long. A role that was lost a second ago or earlier is noticed.
   *
   * @throws ApiError `PERMISSION_MISSING`; StoreUnavailableError if current roles cannot be read.
   */
  readonly recheckAccess: () => Promise<void>;
}

/** A caller across projects. */
export interface EveryProjectCaller extends AnyCaller {
  readonly kind: "everyProject";
  readonly principal: Principal;
  /**
   * Lists projects on which the principal has the required role, sorted by number.
   *
   * @param after lists only projects after this one.
   * @param limit maximum number of projects.
   */
  readonly projectsAfter: (after: ProjectNumber | undefined, limit: number) => readonly Project[];
}

/** A caller without a project. The method itself checks access to its resource. */
export interface PrincipalCaller extends AnyCaller {
  readonly kind: "principal";
  readonly principal: Principal;
}

/** An app on a device, without an access token. Its method authenticates it. */
export interface AppCaller extends AnyCaller {
  readonly kind: "app";
  readonly project: Project;
}

/** An authorized caller, with the call's project or projects. The method's contract determines the kind. */
export type Caller = ProjectCaller | EveryProjectCaller | PrincipalCaller | AppCaller;
