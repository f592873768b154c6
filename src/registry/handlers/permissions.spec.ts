import { expect, test } from "vitest";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import { isOnAllProjects, roleForPermission } from "./permissions.js";

test.each([
  ["firebase.projects.get", Role.VIEWER],
  ["resourcemanager.projects.get", Role.VIEWER],
  ["firebase.clients.list", Role.VIEWER],
  ["firebaseappcheck.appAttestConfig.get", Role.VIEWER],
  ["firebaseappcheck.appAttestConfig.update", Role.EDITOR],
  ["firebaseappcheck.debugTokens.get", Role.EDITOR],
  ["firebaseappcheck.debugTokens.list", Role.EDITOR],
  ["cloudmessaging.messages.create", Role.EDITOR],
  ["firebase.clients.create", Role.OWNER],
  ["firebase.projects.update", Role.OWNER],
  ["resourcemanager.projects.getIamPolicy", Role.OWNER],
  ["resourcemanager.projects.setIamPolicy", Role.OWNER],
  ["storage.buckets.get", undefined],
  ["constructor.a.get", undefined],
  ["", undefined],
])("%s needs the role %s", (permission, role) => {
  expect(roleForPermission(permission)).toBe(role);
});

test.each([
  ["resourcemanager.projects.create", true],
  ["resourcemanager.projects.delete", true],
  ["resourcemanager.projects.undelete", true],
  ["resourcemanager.projects.update", false],
  ["firebase.clients.delete", false],
])("%s needs its role on all projects: %s", (permission, expected) => {
  expect(isOnAllProjects(permission)).toBe(expected);
});
