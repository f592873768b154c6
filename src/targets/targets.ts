import { hash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { RECORD_KINDS } from "../control/records.js";
import {
  ListTargetsResponseSchema,
  type Target,
  TargetSchema,
} from "../gen/waybill/messagingdata/v1beta1/target_pb.js";
import { MAX_TARGETS } from "../limits/data-limits.js";
import { isAndroidAppId, isLabel } from "../model/names.js";
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
import type { TargetResults } from "./target-results.js";

export const TARGETS: ResourceCollection = {
  kind: RECORD_KINDS.target,
  name: "targets",
  maximum: MAX_TARGETS,
};

export interface TargetValues {
  readonly appId: string;
  /** Empty for messages without a label; omitted for the whole app. */
  readonly label?: string;
  /** Minimum delivered share, in percent of the accepted messages. */
  readonly deliveredPercent: number;
}

/** Describes changes of targets to the audit log. */
export const AUDITED_TARGETS = auditedResources<Timed<TargetValues>>(
  TARGETS,
  ({ createTime, updateTime, ...fields }) => fields,
);

export const targetHandlers = ({
  results,
  ...parts
}: ResourceParts<TargetValues, Target> & { readonly results: Pick<TargetResults, "withResults"> }) =>
  resourceMethods(TYPE, {
    ...parts,
    complete: async (targets, context) => {
      await context.waitForSlot();
      return results.withResults(context.caller.project.number, targets, context.signal);
    },
  });

/** Returns a stored target's message, without a result. */
export const targetMessage = (resource: ProjectResource<Timed<TargetValues>>): Target =>
  resourceMessage(TYPE, resource);

const TYPE: ResourceType<TargetValues, Target, "target", typeof ListTargetsResponseSchema> = {
  schema: TargetSchema,
  field: "target",
  listSchema: ListTargetsResponseSchema,
  collection: TARGETS.name,
  fields: {
    changeable: ["delivered_percent"],
    immutable: ["name", "app_id", "analytics_label"],
    outputOnly: [
      "state",
      "evaluated_date",
      "observed_percent",
      "accepted_message_count",
      "create_time",
      "update_time",
      "etag",
    ],
  },
  read: ({ appId, analyticsLabel: label, deliveredPercent }, violations) => {
    if (!isAndroidAppId(appId)) violations.add("INVALID_TARGET", "appId", "must be an app id");
    if (label !== undefined && label !== "" && !isLabel(label))
      violations.add("INVALID_TARGET", "analyticsLabel", "must be an analytics label");
    if (!(deliveredPercent > 0 && deliveredPercent <= 100))
      violations.add("INVALID_TARGET", "deliveredPercent", "must be above 0 and at most 100");
    return { appId, ...(label !== undefined && { label }), deliveredPercent };
  },
  toMessage: ({ appId, label, deliveredPercent }) =>
    create(TargetSchema, { appId, ...(label !== undefined && { analyticsLabel: label }), deliveredPercent }),
  newId: ({ appId, label }) => hash("sha256", JSON.stringify([appId, label ?? null])).slice(0, 16),
  placeOf: () => 0,
};
