import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PlainRoute } from "../../api/plain-route.js";
import { hasCode } from "../../model/system-error.js";
import { MEDIA_TYPES, readEntity } from "./console-files.js";
import { FOR_A_YEAR, pageHeaders, redirectTo } from "./console-routes.js";

/** Output directory of the docs site's build. */
const DOCS_DIRECTORY = fileURLToPath(new URL("../../../docs-dist/", import.meta.url));

/** Path of the docs site. Paths of its pages start with it. */
const DOCS_PATH = "/docs/";

/** Trusted Types policy with which Vue, which the docs site uses, creates HTML from its own templates. */
const TRUSTED_TYPES = "vue";

/**
 * Creates routes for the docs site: pages without `.html`, and the files that they use. Each has an exact path. The
 * first request for a file reads the file from disk, later requests use memory. Empty if the site has not been built.
 */
export async function docsRoutes(directory = DOCS_DIRECTORY): Promise<PlainRoute[]> {
  const names = await filesBelow(directory);
  if (names.length === 0) return [];
  const entities = new Map<string, ReturnType<typeof readEntity>>();
  const entityOf = (name: string): ReturnType<typeof readEntity> => {
    const known = entities.get(name);
    if (known !== undefined) return known;
    const entity = readEntity(directory, name, MEDIA_TYPES[extname(name)] ?? "text/plain; charset=utf-8");
    entities.set(name, entity);
    // After a failed read, the next request reads the file again.
    entity.catch(() => entities.delete(name));
    return entity;
  };
  return [
    ...names.map(
      (name): PlainRoute => ({
        httpMethod: "GET",
        path: DOCS_PATH + name.replace(/(^|\/)index\.html$|\.html$/, "$1"),
        operation: `${DOCS_PATH}*`,
        respond: async () => ({
          body: await entityOf(name),
          headers: pageHeaders({
            cacheControl: name.startsWith("assets/") ? FOR_A_YEAR : "no-cache",
            trustedTypes: TRUSTED_TYPES,
          }),
        }),
      }),
    ),
    redirectTo(DOCS_PATH, () => pageHeaders({ cacheControl: "no-cache" })),
  ];
}

/**
 * Lists the files in a directory and its subdirectories, by relative path. Omits compressed variants and the error
 * page.
 */
async function filesBelow(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length))
      .filter((name) => !/\.(br|gz)$|^404\.html$|^\.built$/.test(name))
      .sort();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
