import { expect, test } from "vitest";
import { memberOf, memberText, type TypedMember } from "./member.js";

test.each([
  ["user:ada@example.com", "ada@example.com", "Person"],
  ["serviceAccount:build@example.com", "build@example.com", "Service account"],
  ["principal:https://accounts.example.com#a#b", "a#b", "Subject of https://accounts.example.com"],
  ["group:all", "group:all", ""],
])("memberText describes %s", (member, name, detail) => {
  expect(memberText(member)).toEqual({ name, detail });
});

test.each<[typed: TypedMember, member: string | undefined]>([
  [{ kind: "user", name: " ada@example.com ", issuer: "" }, "user:ada@example.com"],
  [{ kind: "serviceAccount", name: "b@example.com", issuer: "x" }, "serviceAccount:b@example.com"],
  [{ kind: "principal", name: "5", issuer: "urn:waybill:local" }, "principal:urn:waybill:local#5"],
  [{ kind: "principal", name: "5", issuer: " " }, undefined],
  [{ kind: "user", name: " ", issuer: "" }, undefined],
])("memberOf reads %j", (typed, member) => {
  expect(memberOf(typed)).toBe(member);
});
