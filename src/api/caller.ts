import type { Project, ProjectNumber } from "../model/names.js";
import type { CallContext } from "./service.js";

/** An authenticated person or program. */
export interface Principal {
  /** Name of the principal in access rules, unique per issuer. */
  readonly name: string;
  /** Configured name of the credentials' issuer. */
  readonly issuer: string;
  /** Identifier of the principal, unique across issuers. */
  readonly id: string;
  /** The {@link principalId} of the token's `sub`, if `sub` is not the name. */
  readonly subjectId?: string | undefined;
}

export const principalId = (issuer: string, name: string): string => JSON.stringify([issuer, name]);

interface AnyCaller {
  /**
   * Key of the caller's quotas and budgets: its principal id, or the remote network of an unauthenticated caller.
   */
  readonly budgetKey: string;
  /** Returns the remote network: an IPv4 address, or the /64 network of an IPv6 address. */
  readonly networkOf: () => string;
}

/** A caller in one project, with the role that the method requires. */
export interface ProjectCaller extends AnyCaller {
  readonly kind: "project";
  readonly principal: Principal;
  readonly project: Project;
  /**
   * Checks the role again during a long call. Notices within a second that the principal has lost the role.
   *
   * @throws ApiError `PERMISSION_MISSING`; StoreUnavailableError if current roles cannot be read.
   */
  readonly recheckAccess: () => Promise<void>;
}

/** A caller of a method that covers several projects. */
export interface EveryProjectCaller extends AnyCaller {
  readonly kind: "everyProject";
  readonly principal: Principal;
  /**
   * Lists projects on which the principal has the required role, sorted by number.
   *
   * @param after lists only projects after this one.
   */
  readonly projectsAfter: (after: ProjectNumber | undefined, limit: number) => readonly Project[];
}

/** A caller of a method without a project. The method itself checks access to its resource. */
export interface PrincipalCaller extends AnyCaller {
  readonly kind: "principal";
  readonly principal: Principal;
}

/** An app on a device, which has no access token. The method itself authenticates the app. */
export interface AppCaller extends AnyCaller {
  readonly kind: "app";
  readonly project: Project;
}

/** An authorized caller, with the project or projects of the call. The method's contract determines the kind. */
export type Caller = ProjectCaller | EveryProjectCaller | PrincipalCaller | AppCaller;

type CallerOf<Kind extends Caller["kind"]> = Extract<Caller, { readonly kind: Kind }>;

/** Wraps a handler of calls in one project. */
export const inProject = handlerFor("project");

/** Wraps a handler of calls by apps. */
export const ofApp = handlerFor("app");

/** Wraps a handler of calls that cover several projects. */
export const inEveryProject = handlerFor("everyProject");

/** Wraps a handler that checks access itself. Its calls have a principal, but no project. */
export const ofPrincipal = handlerFor("principal");

/** Wraps a handler of calls in one project or, with the project `-`, in several. */
export const inOneOrEveryProject = handlerFor("project", "everyProject");

function handlerFor<Kind extends Caller["kind"]>(...kinds: readonly Kind[]) {
  const isOfKind = (context: CallContext<Caller>): context is CallContext<CallerOf<Kind>> =>
    kinds.some((kind) => kind === context.caller.kind);
  return <Request, Response>(
    handle: (request: Request, context: CallContext<CallerOf<Kind>>) => Promise<Response>,
  ) =>
    (request: Request, context: CallContext<Caller>): Promise<Response> => {
      if (isOfKind(context)) return handle(request, context);
      throw new Error(
        `the contract declares callers of kind ${context.caller.kind}, but the handler expects ${kinds.join(" or ")}`,
      );
    };
}
