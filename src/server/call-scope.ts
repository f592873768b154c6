import type { Caller } from "../api/caller.js";
import type { CallContext } from "../api/service.js";

/** The callers of one kind. */
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
