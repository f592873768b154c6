import type { Day } from "../model/day.js";
import { type AnnotationValues, dayOfAnnotation } from "./annotations.js";

/** Number of days before an incident's first day on which an annotation can belong to it. */
const NEAR_DAYS = 2;

/**
 * Finds the annotation that is nearest to an incident's start: the newest one on its first day, or on one of the
 * {@link NEAR_DAYS} days before. Among annotations of the same day, one of the app precedes one of the project.
 */
export function nearestAnnotation<A extends { readonly value: AnnotationValues }>(
  annotations: readonly A[],
  { appId, startDay }: { readonly appId: string; readonly startDay: Day },
): A | undefined {
  const isOfApp = ({ value }: A): boolean => value.appId !== undefined;
  let nearest: A | undefined;
  for (const annotation of annotations) {
    if (isOfApp(annotation) && annotation.value.appId !== appId) continue;
    const day = dayOfAnnotation(annotation.value);
    if (day > startDay || day < startDay - NEAR_DAYS) continue;
    const nearestDay = nearest === undefined ? Number.NEGATIVE_INFINITY : dayOfAnnotation(nearest.value);
    const precedes = day === nearestDay && isOfApp(annotation) && nearest !== undefined && !isOfApp(nearest);
    if (day > nearestDay || precedes) nearest = annotation;
  }
  return nearest;
}
