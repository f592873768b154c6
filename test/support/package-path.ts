import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const ROOT = dirname(createRequire(import.meta.url).resolve("waybill/package.json"));

/** The file of a path of this package, wherever the asking module was compiled to. */
export const packagePath = (path: string): string => join(ROOT, path);
