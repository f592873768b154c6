import { expect, it } from "vitest";
import { type Apps, parseApp } from "./app-flag.js";

it.each<[given: readonly string[], unnamed: string | undefined, named: Readonly<Record<string, string>>]>([
  [["1:2:android:3"], "1:2:android:3", {}],
  [["a", "b"], "b", {}],
  [["a=1", "b=2=3", "c"], "c", { a: "1", b: "2=3" }],
])("--app takes ids and names, of %j", (given, unnamed, named) => {
  const apps = given.reduce<Apps | undefined>((before, value) => parseApp(value, before), undefined);
  expect([apps?.unnamed, Object.fromEntries(apps?.named ?? [])]).toEqual([unnamed, named]);
});

it.each(["", "a=", "=a"])("--app rejects %j", (given) => {
  expect(() => parseApp(given)).toThrow("It must be ID, or NAME=ID.");
});
