import type {
  AnnotationJson,
  Annotation_KindJson as AnnotationKindJson,
} from "#src/gen/waybill/messagingdata/v1beta1/annotation_pb.js";
import { groupBy } from "#src/model/collections.js";
import { civilDate, type Day, dayOfJson } from "#src/model/day.js";
import type { DayRange } from "../days/day-range.js";
import type { DayMark } from "./chart-day.js";

/** Kinds of annotations, with their titles. */
export const ANNOTATION_KINDS = {
  RELEASE: "Release",
  CAMPAIGN: "Campaign",
  OUTAGE: "Outage",
  OTHER: "Other",
} as const satisfies Partial<Record<AnnotationKindJson, string>>;

export type AnnotationKind = keyof typeof ANNOTATION_KINDS;

export const CHANGE_ANNOTATIONS = "fcmdata.annotations.update";

/** Maximum length of an annotation's text, in characters. */
export const MAX_ANNOTATION_TEXT = 100;

export interface AnnotationValues {
  readonly day: Day;
  readonly kind: AnnotationKind;
  readonly text: string;
  /** Undefined for the whole project. */
  readonly app: string | undefined;
}

/** An event that users recorded on a day. */
export interface Annotation extends AnnotationValues {
  readonly name: string;
  readonly etag: string;
}

export const annotationOf = ({
  name = "",
  etag = "",
  date = {},
  kind = "OTHER",
  text = "",
  appId,
}: AnnotationJson): Annotation => ({
  name,
  etag,
  day: dayOfJson(date),
  kind: kind === "KIND_UNSPECIFIED" ? "OTHER" : kind,
  text,
  app: appId,
});

export const annotationJson = ({ day, kind, text, app }: AnnotationValues): AnnotationJson => ({
  date: civilDate(day),
  kind,
  text,
  ...(app !== undefined && { appId: app }),
});

export const annotationsIn = (
  annotations: readonly Annotation[],
  app: string,
  { first, last }: DayRange,
): readonly Annotation[] =>
  annotations.filter(
    (one) => (one.app === undefined || one.app === app) && one.day >= first && one.day <= last,
  );

/** Returns an annotation in words, such as `Release: 4.2 for Android`. */
export const annotationText = ({ kind, text }: Pick<Annotation, "kind" | "text">): string =>
  kind === "OTHER" || text.startsWith(ANNOTATION_KINDS[kind]) ? text : `${ANNOTATION_KINDS[kind]}: ${text}`;

/** Returns marks for days with annotations, in order. */
export const annotationMarks = (annotations: readonly Annotation[]): readonly DayMark[] =>
  [...groupBy(annotations, ({ day }) => day)]
    .map(([day, some]) => ({
      day,
      text: some.map((one) => `${annotationText(one)}.`).join(" "),
      starts: some.map(({ text }) => text),
    }))
    .sort((a, b) => a.day - b.day);
