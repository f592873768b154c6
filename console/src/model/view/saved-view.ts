import type { ViewJson } from "#src/gen/waybill/messagingdata/v1beta1/view_pb.js";
import type { View } from "./view.js";
import { queryOf, viewOf } from "./view-address.js";

/** Permission to save, rename and delete views. */
export const CHANGE_VIEWS = "fcmdata.views.update";

/** Maximum length of a saved view's title, in characters. */
export const MAX_VIEW_TITLE = 100;

/** Maximum lifetime of a view's link, in days. */
export const MAX_LINK_DAYS = 90;

/** A view under a name, for everyone in the project. */
export interface SavedView {
  /** Resource name. */
  readonly name: string;
  readonly etag: string;
  readonly title: string;
  readonly view: View;
  /** Time at which the view's link expires. Undefined if it has none. */
  readonly expires: number | undefined;
}

/** Reads a saved view of a project from the service's JSON. Ignores parameters that the console does not know. */
export const savedViewOf = (
  { name = "", etag = "", displayName = "", query = "", linkExpireTime }: ViewJson,
  project: string,
): SavedView => ({
  name,
  etag,
  title: displayName,
  view: { ...viewOf(query), project },
  expires: linkExpireTime === undefined ? undefined : Date.parse(linkExpireTime),
});

/** Returns the query to save: all choices except the project, which the saved view is in, and the page number. */
export const savedQueryOf = (view: View): string =>
  queryOf({ ...view, project: undefined, page: 1 }).slice(1);
