import type { CallContext } from "../api/service.js";
import type { Access, InEveryProject, InProject } from "./access.js";

type Handle<Request, Response, A> = (request: Request, context: CallContext<A>) => Promise<Response>;

/** Adapts a handler for one project to any authorized call. */
export const inProject = handlerWhere(
  (context): context is CallContext<InProject> => "project" in context.auth,
  "the contract says that this method is in every project, and its handler is for one",
);

/** Adapts a handler for every project to any authorized call. */
export const inEveryProject = handlerWhere(
  (context): context is CallContext<InEveryProject> => "projects" in context.auth,
  "the contract says that this method is in one project, and its handler is for every one",
);

/** @param problem Error message for a call that the handler does not accept. */
function handlerWhere<A extends Access>(
  isFor: (context: CallContext<Access>) => context is CallContext<A>,
  problem: string,
) {
  return <Request, Response>(handle: Handle<Request, Response, A>): Handle<Request, Response, Access> =>
    (request, context) => {
      if (isFor(context)) return handle(request, context);
      throw new Error(problem);
    };
}
