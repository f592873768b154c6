import type { Caller } from "../api/caller.js";
import type { CallContext } from "../api/service.js";

/** The callers of one kind. */
type CallerOf<Kind extends Caller["kind"]> = Extract<Caller, { readonly kind: Kind }>;

/** Adapts a handler for calls in one project to authorized calls. */
export const inProject = handlerFor("project");

/** Adapts a handler for calls by apps to authorized calls. */
export const ofApp = handlerFor("app");

/** Adapts a handler for calls in every project to authorized calls. */
export const inEveryProject = handlerFor("everyProject");

function handlerFor<Kind extends Caller["kind"]>(kind: Kind) {
  const isOfKind = (context: CallContext<Caller>): context is CallContext<CallerOf<Kind>> =>
    context.caller.kind === kind;
  return <Request, Response>(
    handle: (request: Request, context: CallContext<CallerOf<Kind>>) => Promise<Response>,
  ) =>
    (request: Request, context: CallContext<Caller>): Promise<Response> => {
      if (isOfKind(context)) return handle(request, context);
      throw new Error(
        `the contract makes this a call of kind ${context.caller.kind}, and its handler is for ${kind}`,
      );
    };
}
