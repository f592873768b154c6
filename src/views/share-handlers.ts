import { create } from "@bufbuild/protobuf";
import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { ApiError } from "../api/api-error.js";
import type { ProjectCaller } from "../api/caller.js";
import type { CallContext } from "../api/service.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import {
  type ShareViewRequest,
  type ShareViewResponse,
  ShareViewResponseSchema,
  type UnshareViewRequest,
  type View,
} from "../gen/waybill/messagingdata/v1beta1/view_pb.js";
import { MAX_LINK_LIFETIME_DAYS } from "../limits/data-limits.js";
import { DAY_MS, type UnixMillis } from "../model/clock.js";
import { auditNote } from "../registry/audit/audit-note.js";
import type { ResourceParts } from "../registry/resource-methods.js";
import { type LinkTokens, newLinkId } from "./view-link.js";
import { viewSelectionOf } from "./view-selection.js";
import { VIEWS, type ViewValues, viewMessage } from "./views.js";

export interface ShareParts extends Pick<ResourceParts<ViewValues>, "resources" | "clock"> {
  readonly links: LinkTokens;
}

/** Creates the handlers that share views by a link. */
export function shareHandlers({ resources, clock, links }: ShareParts) {
  type Context = CallContext<ProjectCaller>;
  const idIn = ({ resource }: Context): string => resource.idIn(VIEWS.name);
  return {
    async share(request: ShareViewRequest, context: Context): Promise<ShareViewResponse> {
      const { caller } = context;
      const { number } = caller.project;
      const expireTime = expireTimeOf(request, clock.wall());
      const link = { id: newLinkId(), expireTime };
      const shared = await resources.update(
        number,
        idIn(context),
        "",
        (before) => {
          if (viewSelectionOf(before.query) === undefined) throw viewWithoutApp();
          return { ...before, link };
        },
        auditNote(caller, "ShareView"),
      );
      const token = links.sign({ project: number, view: shared.id, link: link.id, expireTime });
      return create(ShareViewResponseSchema, { view: viewMessage(shared), token });
    },

    async unshare(_request: UnshareViewRequest, context: Context): Promise<View> {
      const { number } = context.caller.project;
      const found = await resources.get(number, idIn(context));
      if (found.value.link === undefined) return viewMessage(found);
      const note = auditNote(context.caller, "UnshareView");
      const after = ({ link: _ended, ...before }: typeof found.value) => before;
      return viewMessage(await resources.update(number, found.id, "", after, note));
    },
  };
}

/** Returns the requested time. @throws ApiError `INVALID_EXPIRE_TIME` if it is omitted, past or too late. */
function expireTimeOf({ expiration }: ShareViewRequest, now: UnixMillis): UnixMillis {
  const time =
    expiration.case === "ttl"
      ? now + Math.floor(durationMs(expiration.value))
      : expiration.case && timestampMs(expiration.value);
  if (time !== undefined && time > now && time <= now + MAX_LINK_LIFETIME_DAYS * DAY_MS) return time;
  throw ApiError.invalidArgument(
    "INVALID_EXPIRE_TIME",
    expiration.case ?? "expireTime",
    `must be in the future, within ${MAX_LINK_LIFETIME_DAYS} days`,
  );
}

/** The view selects no app, so that a link has nothing to show. */
const viewWithoutApp = (): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "VIEW_WITHOUT_APP",
    message: "The view names no app. Share a view of one app.",
  });
