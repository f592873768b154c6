import { type SharedView, type SharedViewJson, sharedViewOf } from "#console/model/view/shared-view.js";
import { messagingDataUrl, readJson } from "./console-config.js";

/** Path of the page that shows a shared view, below the messaging-data service. */
const EMBED_PATH = "/console/embed";

/** Returns the link that shows a view. Browsers send the fragment to no server, so that the token is in no log. */
export const linkOf = (token: string): string => `${messagingDataUrl()}${EMBED_PATH}#${token}`;

/** Returns true on the page that shows a shared view. */
export const isEmbedPage = (): boolean => window.location.pathname.endsWith(EMBED_PATH);

/** Reads the view that a link shows. @throws WaybillError `UNAUTHENTICATED` if the link has expired or is invalid. */
export async function readSharedView(token: string, signal: AbortSignal): Promise<SharedView> {
  const url = new URL(`${messagingDataUrl()}${EMBED_PATH}/data`);
  return sharedViewOf(
    await readJson<SharedViewJson>(url, { headers: { authorization: `Bearer ${token}` }, signal }),
  );
}
