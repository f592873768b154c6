import { send } from "../http/exchange.js";

/** Reads all items of a paginated list. `target` must have a query. */
export async function allItems<T>(url: string, target: string, token: string, field: string): Promise<T[]> {
  const items: T[] = [];
  for (let pageToken = ""; ; ) {
    const { status, text } = await send(url, `${target}&pageToken=${pageToken}`, { token });
    if (status !== 200) throw new Error(`${target} returned ${text}`);
    const page = JSON.parse(text) as Record<string, T[] | undefined> & { readonly nextPageToken?: string };
    items.push(...(page[field] ?? []));
    if (page.nextPageToken === undefined) return items;
    pageToken = page.nextPageToken;
  }
}
