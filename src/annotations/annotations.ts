import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { ParameterViolations } from "../api/api-error.js";
import { RECORD_KINDS } from "../control/records.js";
import { type Date as DateMessage, DateSchema } from "../gen/google/type/date_pb.js";
import {
  type Annotation,
  AnnotationSchema,
  Annotation_Kind as Kind,
  ListAnnotationsResponseSchema,
} from "../gen/waybill/messagingdata/v1beta1/annotation_pb.js";
import { MAX_ANNOTATION_TEXT, MAX_ANNOTATIONS } from "../limits/data-limits.js";
import { civilDate, type Day, formatDay, parseDay } from "../model/day.js";
import { isAndroidAppId } from "../model/names.js";
import {
  auditedResources,
  type ProjectResource,
  type ProjectResources,
  type ResourceCollection,
} from "../registry/project-resources.js";
import {
  type ResourceParts,
  type ResourceType,
  resourceMethods,
  type Timed,
} from "../registry/resource-methods.js";

export const ANNOTATIONS: ResourceCollection = {
  kind: RECORD_KINDS.annotation,
  name: "annotations",
  maximum: MAX_ANNOTATIONS,
};

/** Kinds of annotations, by their names in the contract. */
export type AnnotationKind = Exclude<keyof typeof Kind, "KIND_UNSPECIFIED">;

export interface AnnotationValues {
  /** Date in America/Los_Angeles, such as `2026-11-25`. */
  readonly date: string;
  readonly kind: AnnotationKind;
  readonly text: string;
  /** App id. Omitted for the whole project. */
  readonly appId?: string;
}

export type AnnotationList = Pick<ProjectResources<AnnotationValues>, "list">;

/** Describes changes of annotations to the audit log. */
export const AUDITED_ANNOTATIONS = auditedResources<Timed<AnnotationValues>>(
  ANNOTATIONS,
  ({ createTime, updateTime, ...fields }) => fields,
);

export const annotationHandlers = (parts: ResourceParts<AnnotationValues, Annotation>) =>
  resourceMethods(TYPE, parts);

const TYPE: ResourceType<AnnotationValues, Annotation, "annotation", typeof ListAnnotationsResponseSchema> = {
  schema: AnnotationSchema,
  field: "annotation",
  listSchema: ListAnnotationsResponseSchema,
  collection: ANNOTATIONS.name,
  fields: {
    changeable: ["text", "date", "kind", "app_id"],
    immutable: ["name"],
    outputOnly: ["create_time", "update_time", "etag"],
  },
  read: ({ date, kind, text, appId }, violations) => {
    const day = date && dayOfDate(date);
    if (day === undefined)
      violations.add("INVALID_ANNOTATION", "date", "must be a date with a year, a month and a day");
    const kindName = Kind[kind] as keyof typeof Kind | undefined;
    if (kindName === undefined || kindName === "KIND_UNSPECIFIED")
      violations.add("INVALID_ANNOTATION", "kind", `must be one of ${KIND_NAMES.join(", ")}`);
    checkText(text, violations);
    if (appId !== "" && !isAndroidAppId(appId))
      violations.add("INVALID_ANNOTATION", "appId", "must be an app id, or omitted for the whole project");
    if (day === undefined || kindName === undefined) return undefined;
    return {
      date: formatDay(day),
      kind: kindName as AnnotationKind,
      text,
      ...(appId !== "" && { appId }),
    };
  },
  toMessage: ({ date, kind, text, appId }) =>
    create(AnnotationSchema, {
      date: create(DateSchema, civilDate(dayOfAnnotation({ date }))),
      kind: Kind[kind],
      text,
      appId: appId ?? "",
    }),
  newId: () => randomUUID(),
  placeOf: (values) => -dayOfAnnotation(values),
};

/** Returns an annotation's message within another resource. It has no times and no etag. */
export const annotationMessage = ({
  name,
  value,
}: Pick<ProjectResource<AnnotationValues>, "name" | "value">): Annotation => ({
  ...TYPE.toMessage(value),
  name,
});

export function dayOfAnnotation({ date }: Pick<AnnotationValues, "date">): Day {
  const day = parseDay(date);
  if (day === undefined) throw new Error(`the annotation's date ${date} does not exist`);
  return day;
}

const KIND_NAMES = Object.keys(Kind).filter((name) => /^[A-Z]/.test(name) && name !== "KIND_UNSPECIFIED");

/** Converts a date; `undefined` if the calendar has no such date. */
const dayOfDate = ({ year, month, day }: DateMessage): Day | undefined =>
  parseDay([String(year).padStart(4, "0"), padded(month), padded(day)].join("-"));

const padded = (part: number): string => String(part).padStart(2, "0");

function checkText(text: string, violations: ParameterViolations): void {
  const { length } = [...text];
  if (text.trim() === "" || length > MAX_ANNOTATION_TEXT || /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]/u.test(text)) {
    const description = `must have 1 to ${MAX_ANNOTATION_TEXT} characters in one line, without control characters`;
    violations.add("INVALID_ANNOTATION", "text", description);
  }
}
