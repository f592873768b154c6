import { type Call, type CallOptions, post } from "./call.js";
import type { ResourceRef } from "./resource-calls.js";
import { pathOf } from "./resource-names.js";

/** Request to share a view. */
export type ShareViewOptions = ResourceRef & CallOptions & LinkExpiration;

/** When a link expires, within 90 days. */
type LinkExpiration =
  | { /** Time by the server's clock. */ readonly expireTime: Date }
  | { /** Duration from now by the server's clock, such as `86400s`. */ readonly ttl: string };

/** Calls `ShareView`. The call is never repeated, because a second attempt would end the first link. */
export const shareViewCall = ({ name, ...expiration }: ShareViewOptions): Call =>
  post(
    `${viewPath(name)}:share`,
    "ttl" in expiration ? { ttl: expiration.ttl } : { expireTime: expiration.expireTime.toISOString() },
    false,
  );

/** Calls `UnshareView`. The call is never repeated, because a second attempt could end a newer link. */
export const unshareViewCall = ({ name }: ResourceRef): Call => post(`${viewPath(name)}:unshare`, {}, false);

const viewPath = (name: string): string => `v1beta1/${pathOf(name, "projects/*/views/*")}`;
