import { type HttpResponse, type Sent, send } from "../http/exchange.js";
import { PROJECT } from "../servers/project.js";
import type { Server } from "../servers/server.js";

/** Request target of an app's configuration. */
export const configOf = (app: string, project: string = PROJECT.id): string =>
  `/v1/projects/${project}/apps/${app}/appAttestConfig`;

/** The resource name of an app's configuration, as in responses. */
export const nameOf = (app: string, project: string = PROJECT.number): string =>
  `projects/${project}/apps/${app}/appAttestConfig`;

export interface AppAttestConfig {
  readonly name: string;
  readonly tokenTtl: string;
  readonly etag?: string;
}

/** Reads the current configuration of an app. */
export async function readConfig(
  { integrityUrl }: Pick<Server, "integrityUrl">,
  token: string,
  app: string,
): Promise<AppAttestConfig> {
  const { status, text } = await send(integrityUrl, configOf(app), { token });
  if (status !== 200) throw new Error(`get returned ${text}`);
  return JSON.parse(text);
}

/** Sends a change, by default of `tokenTtl`. */
export function patch(
  { integrityUrl }: Pick<Server, "integrityUrl">,
  token: string,
  app: string,
  body: object,
  { query = "updateMask=tokenTtl", ...sent }: { readonly query?: string } & Sent = {},
): Promise<HttpResponse> {
  return send(integrityUrl, `${configOf(app)}?${query}`, {
    method: "PATCH",
    token,
    body: Buffer.from(JSON.stringify(body)),
    ...sent,
    headers: { "content-type": "application/json", ...sent.headers },
  });
}
