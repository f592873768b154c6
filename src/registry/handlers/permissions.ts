import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";

/** Public APIs with permissions that the roles include. */
const SERVICES = new Set([
  "cloudmessaging",
  "cloudresourcemanager",
  "fcmdata",
  "firebase",
  "firebaseappcheck",
  "resourcemanager",
]);

/** Verbs of permissions that only read. */
const READS = new Set(["get", "list", "search"]);

/** Permissions for which the verb and the resource suggest a wrong role. */
const EXCEPTIONS: ReadonlyMap<string, Role> = new Map([
  ["resourcemanager.projects.getIamPolicy", Role.OWNER],
  ["firebase.projects.update", Role.OWNER],
  ["firebaseappcheck.debugTokens.get", Role.EDITOR],
  ["firebaseappcheck.debugTokens.list", Role.EDITOR],
]);

/** Permissions that require the role on all projects. */
const ON_ALL_PROJECTS =
  /^(cloudresourcemanager|firebase|resourcemanager)\.projects\.(create|delete|undelete)$/;

/** Returns true for permissions that need their role on all projects. */
export const isOnAllProjects = (permission: string): boolean => ON_ALL_PROJECTS.test(permission);

/** Resources that only owners change. */
const OF_OWNERS = new Set(["projects", "clients"]);

/**
 * Returns the lowest role with a permission of the public APIs, such as `firebase.clients.get`; `undefined` if no role
 * has it.
 */
export function roleForPermission(permission: string): Role | undefined {
  const exception = EXCEPTIONS.get(permission);
  if (exception !== undefined) return exception;
  const [service = "", ...rest] = permission.split(".");
  const verb = rest.at(-1) ?? "";
  const resource = rest.at(-2) ?? "";
  if (!SERVICES.has(service)) return undefined;
  if (READS.has(verb)) return Role.VIEWER;
  return OF_OWNERS.has(resource) ? Role.OWNER : Role.EDITOR;
}
