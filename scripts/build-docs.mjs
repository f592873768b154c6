// Builds the docs site into `docs-dist`, from the pages and from the descriptions that the build of the server has made.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";
import { markBuilt } from "./build-stamp.mjs";
import { compressFiles } from "./compress-files.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const site = `${root}docs-dist`;

rmSync(site, { recursive: true, force: true });
await build(`${root}docs`);
await compressFiles(site);
markBuilt("docs-dist");
