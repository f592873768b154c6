import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const ROOT = dirname(createRequire(import.meta.url).resolve("waybill/package.json"));

/** The absolute path of a file in this package, independent of where the calling module was compiled to. */
export const packagePath = (path: string): string => join(ROOT, path);
