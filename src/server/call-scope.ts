import type { CallContext } from "../api/service.js";
import type { Access, InEveryProject, InProject } from "./access.js";

type Handle<Request, Response, A> = (request: Request, context: CallContext<A>) => Promise<Response>;

/** Makes a handler that is for calls in one project one for any call that was authorized as the contract says. */
export const inProject = handlerWhere(
  (context): context is CallContext<InProject> => "project" in context.auth,
  "the contract says that this method is in every project, and its handler is for one",
);

/** Makes a handler that is for calls in every project one for any call that was authorized as the contract says. */
export const inEveryProject = handlerWhere(
  (context): context is CallContext<InEveryProject> => "projects" in context.auth,
  "the contract says that this method is in one project, and its handler is for every one",
);

/** @param problem what is wrong if a call is not one that the handler is for. */
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
