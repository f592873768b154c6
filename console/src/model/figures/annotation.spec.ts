import { expect, test } from "vitest";
import { dayOfCivil } from "#src/model/day.js";
import {
  annotationJson,
  annotationMarks,
  annotationOf,
  annotationsIn,
  annotationText,
} from "./annotation.js";

const DAY = dayOfCivil(2026, 11, 25);
const json = (text: string, day = 25, appId?: string) => ({
  name: `projects/7/annotations/${text}`,
  etag: "e",
  date: { year: 2026, month: 11, day },
  kind: "RELEASE" as const,
  text,
  ...(appId !== undefined && { appId }),
});

test("annotationJson reverses annotationOf, without the name and etag", () => {
  const { name: _name, etag: _etag, ...values } = json("4.2", 25, "shop");
  expect(annotationJson(annotationOf(json("4.2", 25, "shop")))).toEqual(values);
});

test("annotationsIn returns annotations of the app and its project in the range", () => {
  const all = [json("a", 24), json("b", 25), json("c", 25, "shop"), json("d", 25, "other")].map(annotationOf);
  expect(annotationsIn(all, "shop", { first: DAY, last: DAY }).map(({ text }) => text)).toEqual(["b", "c"]);
});

test("annotationText names the kind once", () => {
  expect(annotationText({ kind: "RELEASE", text: "4.2" })).toBe("Release: 4.2");
  expect(annotationText({ kind: "RELEASE", text: "Release 4.2" })).toBe("Release 4.2");
  expect(annotationText({ kind: "OTHER", text: "New sender" })).toBe("New sender");
});

test("annotationMarks groups annotations by day, in order", () => {
  expect(annotationMarks([json("late"), json("early", 23), json("later")].map(annotationOf))).toEqual([
    { day: DAY - 2, text: "Release: early.", starts: ["early"] },
    { day: DAY, text: "Release: late. Release: later.", starts: ["late", "later"] },
  ]);
});
