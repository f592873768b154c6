import { type Answer, type Sent, send } from "./exchange.js";
import { PROJECT, type Server } from "./waybill.js";

/** The target of the configuration of an app. */
export const configOf = (app: string, project: string = PROJECT.id): string =>
  `/v1/projects/${project}/apps/${app}/appAttestConfig`;

/** The resource name of the configuration of an app, as answers have it. */
export const nameOf = (app: string, project: string = PROJECT.number): string =>
  `projects/${project}/apps/${app}/appAttestConfig`;

/** As much of a configuration as tests look at. */
export interface AppAttestConfig {
  readonly name: string;
  readonly tokenTtl: string;
  readonly etag?: string;
}

/** The configuration of an app as it is. */
export async function readConfig(
  { integrityUrl }: Pick<Server, "integrityUrl">,
  token: string,
  app: string,
): Promise<AppAttestConfig> {
  const { status, text } = await send(integrityUrl, configOf(app), { token });
  if (status !== 200) throw new Error(`get answered ${text}`);
  return JSON.parse(text);
}

/** Sends a change, of `tokenTtl` unless the query says otherwise. */
export function patch(
  { integrityUrl }: Pick<Server, "integrityUrl">,
  token: string,
  app: string,
  body: object,
  { query = "updateMask=tokenTtl", ...sent }: { readonly query?: string } & Sent = {},
): Promise<Answer> {
  return send(integrityUrl, `${configOf(app)}?${query}`, {
    method: "PATCH",
    token,
    body: Buffer.from(JSON.stringify(body)),
    ...sent,
    headers: { "content-type": "application/json", ...sent.headers },
  });
}
