import type { CallContext } from "../transcoding/service.js";
import type { Access, InEveryProject, InProject } from "./access.js";

type Handle<Request, Response, A> = (request: Request, context: CallContext<A>) => Promise<Response>;

/** Makes a handler that is for calls in one project one for any call that was authorized as the contract says. */
export function inProject<Request, Response>(
  handle: Handle<Request, Response, InProject>,
): Handle<Request, Response, Access> {
  return (request, context) => {
    if (isInProject(context)) return handle(request, context);
    throw new Error("the contract says that this method is in every project, and its handler is for one");
  };
}

/** Makes a handler that is for calls in every project one for any call that was authorized as the contract says. */
export function inEveryProject<Request, Response>(
  handle: Handle<Request, Response, InEveryProject>,
): Handle<Request, Response, Access> {
  return (request, context) => {
    if (isInEveryProject(context)) return handle(request, context);
    throw new Error("the contract says that this method is in one project, and its handler is for every one");
  };
}

const isInProject = (context: CallContext<Access>): context is CallContext<InProject> =>
  "project" in context.auth;
const isInEveryProject = (context: CallContext<Access>): context is CallContext<InEveryProject> =>
  "projects" in context.auth;
