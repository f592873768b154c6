import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { RECORD_KINDS } from "../control/records.js";
import {
  ListViewsResponseSchema,
  type View,
  ViewSchema,
} from "../gen/waybill/messagingdata/v1beta1/view_pb.js";
import { MAX_VIEW_NAME, MAX_VIEW_QUERY_BYTES, MAX_VIEWS } from "../limits/data-limits.js";
import type { UnixMillis } from "../model/clock.js";
import {
  auditedResources,
  type ProjectResource,
  type ResourceCollection,
} from "../registry/project-resources.js";
import {
  type ResourceParts,
  type ResourceType,
  resourceMessage,
  resourceMethods,
  type Timed,
} from "../registry/resource-methods.js";

export const VIEWS: ResourceCollection = { kind: RECORD_KINDS.view, name: "views", maximum: MAX_VIEWS };

export interface ViewValues {
  readonly displayName: string;
  /** The console's choices as a query of a URL, without `?` and the project. */
  readonly query: string;
  /** The link that shows the view without sign-in, if it is shared. */
  readonly link?: { readonly id: string; readonly expireTime: UnixMillis };
}

/** Describes changes of views to the audit log. */
export const AUDITED_VIEWS = auditedResources<Timed<ViewValues>>(
  VIEWS,
  ({ createTime, updateTime, link, ...fields }) => ({
    ...fields,
    ...(link && { linkExpireTime: new Date(link.expireTime).toISOString() }),
  }),
);

export const viewHandlers = (parts: ResourceParts<ViewValues, View>) => resourceMethods(TYPE, parts);

export const viewMessage = (resource: ProjectResource<Timed<ViewValues>>): View =>
  resourceMessage(TYPE, resource);

/**
 * Parameters as the console writes them. The form excludes a scheme, a host and a path, so that no view leads to another
 * origin.
 */
const QUERY = /^(?:[a-z]+=(?:[\w*.+-]|%[\da-f]{2})*(?:&(?!$)|$))*$/i;

const NOT_IN_NAMES = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]/u;

/** The project is in the view's resource name. */
const PROJECT = /(?:^|&)project=/;

const TYPE: ResourceType<ViewValues, View, "view", typeof ListViewsResponseSchema> = {
  schema: ViewSchema,
  field: "view",
  listSchema: ListViewsResponseSchema,
  collection: VIEWS.name,
  fields: {
    changeable: ["display_name", "query"],
    immutable: ["name"],
    outputOnly: ["create_time", "update_time", "etag", "link_expire_time"],
  },
  read: ({ displayName, query }, violations) => {
    const { length } = [...displayName];
    if (displayName.trim() === "" || length > MAX_VIEW_NAME || NOT_IN_NAMES.test(displayName)) {
      const description = `must have 1 to ${MAX_VIEW_NAME} characters in one line, without control characters`;
      violations.add("INVALID_VIEW", "displayName", description);
    }
    if (query.length > MAX_VIEW_QUERY_BYTES)
      violations.add("INVALID_VIEW", "query", `must have at most ${MAX_VIEW_QUERY_BYTES} bytes`);
    else if (!QUERY.test(query) || PROJECT.test(query))
      violations.add("INVALID_VIEW", "query", "must have only encoded parameters, such as tab=labels&days=7");
    return { displayName, query };
  },
  toMessage: ({ displayName, query, link }) =>
    create(ViewSchema, {
      displayName,
      query,
      ...(link && { linkExpireTime: timestampFromMs(link.expireTime) }),
    }),
  // Another query would show other data to those who have the link.
  keep: ({ query, link }, after) => (link && after.query === query ? { ...after, link } : after),
  newId: () => randomUUID(),
  placeOf: () => 0,
};
