import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EncodedEntity } from "../../api/encoded-response.js";
import { hasCode } from "../../model/system-error.js";

/** Output directory of the console's build. */
const CONSOLE_DIRECTORY = fileURLToPath(new URL("../../console/", import.meta.url));

export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** All console files. No other files in the directory are served. */
export interface ConsoleFiles {
  /** The page, without settings. */
  readonly index: string;
  /** Files by name. Each name contains a digest of the content, so that the content never changes. */
  readonly assets: ReadonlyMap<string, EncodedEntity>;
}

/**
 * Reads all console files at start. Requests are served from memory by file name, and cannot reach the file system.
 *
 * @returns `undefined` if the console has not been built.
 * @throws Error if a file has an unknown media type.
 */
export async function readConsoleFiles(directory = CONSOLE_DIRECTORY): Promise<ConsoleFiles | undefined> {
  try {
    const assets = join(directory, "assets");
    const names = (await readdir(assets)).filter((name) => !/\.(br|gz)$/.test(name));
    const types = names.map((name): [string, string] => [name, typeOf(name)]);
    const index = await readFile(join(directory, "index.html"), "utf8");
    const entities = types.map(
      async ([name, type]): Promise<[string, EncodedEntity]> => [name, await readEntity(assets, name, type)],
    );
    return { index, assets: new Map(await Promise.all(entities)) };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function typeOf(name: string): string {
  const type = MEDIA_TYPES[extname(name)];
  if (type === undefined) throw new Error(`the media type of ${name} is unknown`);
  return type;
}

/** Reads a file and the compressed variants that the build has created, such as `index.html.br` and `index.html.gz`. */
export async function readEntity(directory: string, name: string, type: string): Promise<EncodedEntity> {
  const path = join(directory, name);
  const [bytes, br, gzip] = await Promise.all([
    readFile(path),
    readFileIfThere(`${path}.br`),
    readFileIfThere(`${path}.gz`),
  ]);
  return new EncodedEntity(bytes, type, { compressed: { ...(br && { br }), ...(gzip && { gzip }) } });
}

async function readFileIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
