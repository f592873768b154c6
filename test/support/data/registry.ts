import { type HttpResponse, send } from "../http/exchange.js";
import { BASE_CONFIG, PROJECT } from "../servers/project.js";
import type { Server } from "../servers/server.js";

/** Principals of registry tests, by their role. */
export const ROOT = "root@example.com";
export const OWNER = "owner@example.com";

/** An owner of all projects, in addition to the principals of most tests. */
export const REGISTRY_CONFIG = {
  ...BASE_CONFIG,
  access: [
    ...BASE_CONFIG.access,
    { principal: ROOT, projects: ["*"], role: "owner" },
    { principal: OWNER, projects: [PROJECT.id], role: "owner" },
  ],
};

/** A parsed response. */
export interface RegistryResult {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of many shapes.
  readonly json: any;
  readonly text: string;
}

/** Sends a call with an optional JSON body. */
export async function call(
  { registryUrl }: Pick<Server, "registryUrl">,
  token: string,
  line: string,
  body?: unknown,
): Promise<RegistryResult> {
  const [method = "", target = ""] = line.split(" ");
  const response: HttpResponse = await send(registryUrl, target, {
    method,
    token,
    ...(body !== undefined && {
      body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
      headers: { "content-type": "application/json" },
    }),
  });
  return { status: response.status, json: JSON.parse(response.text), text: response.text };
}

/** Sends a call that must succeed. Returns its response. */
export async function expectOk(...parts: Parameters<typeof call>): Promise<RegistryResult["json"]> {
  const { status, json, text } = await call(...parts);
  if (status !== 200) throw new Error(`${parts[2]}: ${status} ${text}`);
  return json;
}

/** Returns the newest audit entries of the project that match a query. The configuration is {@link REGISTRY_CONFIG}. */
export async function auditEntries(server: Server, query: string): Promise<RegistryResult["json"][]> {
  const line = `GET /v1/projects/${PROJECT.id}/auditEntries?${query}`;
  return (await expectOk(server, await server.token(ROOT), line)).auditEntries;
}

/** Creates a project with a policy. Returns its number. */
export async function createProject(
  server: Server,
  token: string,
  projectId: string,
  roles: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { response } = await expectOk(server, token, "POST /v1/projects", { projectId });
  const bindings = Object.entries(roles).map(([member, role]) => ({
    role: `roles/${role}`,
    members: [`user:${member}`],
  }));
  if (bindings.length > 0) {
    const policy = { bindings: [...bindings, { role: "roles/owner", members: [`user:${ROOT}`] }] };
    await expectOk(server, token, `POST /v1/projects/${projectId}:setIamPolicy`, { policy });
  }
  return response.projectNumber;
}

/** Creates an iOS app. Returns its resource. */
export async function createIosApp(server: Server, token: string, project: string, bundleId: string) {
  const { response } = await expectOk(server, token, `POST /v1beta1/projects/${project}/iosApps`, {
    bundleId,
  });
  return response;
}
