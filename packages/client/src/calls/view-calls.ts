import { type Call, type CallOptions, jsonBody } from "./call.js";
import type { ResourceRef } from "./resource-calls.js";
import { pathOf } from "./resource-names.js";

/** Request to share a view. */
export interface ShareViewOptions extends ResourceRef, CallOptions {
  /** Time at which the link expires, within 90 days. */
  readonly expireTime: Date;
}

/** Calls `ShareView`. The call is never repeated, because a second attempt would end the first link. */
export const shareViewCall = ({ name, expireTime }: ShareViewOptions): Call => ({
  httpMethod: "POST",
  path: `${viewPath(name)}:share`,
  body: jsonBody({ expireTime: expireTime.toISOString() }),
  repeatable: false,
});

/** Calls `UnshareView`. */
export const unshareViewCall = ({ name }: ResourceRef): Call => ({
  httpMethod: "POST",
  path: `${viewPath(name)}:unshare`,
  body: jsonBody({}),
  repeatable: true,
});

const viewPath = (name: string): string => `v1beta1/${pathOf(name, "projects/*/views/*")}`;
