// Bundles the command and its threads, with the packages that they import. As 1,200 files, a server needs twice as long to start.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { licensesOf } from "./licenses.mjs";

/** Files started by their path: the command, and each thread. */
const ENTRIES = [
  "cli/main.js",
  "http/bodies/zstd-unpacker-thread.js",
  "messaging-data/events/event-worker.js",
  "transcoding/partial/response-shaper-thread.js",
];

/**
 * Packages that are not bundled: native code that is found by its path, CommonJS packages that are imported on demand,
 * and optional packages.
 */
const EXTERNAL = ["@duckdb/node-bindings", "google-auth-library", "libsql", "libsql/promise", "pg-native"];

/** Packages without `exports`. Their ES modules are bundled, so that unused code is left out. */
const MODULES = /^@opentelemetry\/(?:core|otlp-transformer|resources|sdk-metrics|sdk-trace|sdk-trace-base)$/;

/** Packages in CommonJS require Node's own modules, and an ES module has no `require`. */
const REQUIRE =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/** Bundles compiled sources. Their folder is an absolute path. Writes the bundle to the folder `bundle` within. */
export async function bundleCommand(sources) {
  const outdir = join(sources, "bundle");
  const { metafile } = await build({
    entryPoints: ENTRIES.map((path) => join(sources, path)),
    entryNames: "[name]",
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: EXTERNAL,
    banner: { js: REQUIRE },
    plugins: [keepPlaces(sources), esModules(MODULES)],
    metafile: true,
    logLevel: "warning",
  });
  for (const { entryPoint } of Object.values(metafile.outputs)) {
    // In a bundle, `import()` of a CommonJS package has no named exports, which would only show at run time.
    if (metafile.inputs[entryPoint]?.format === "cjs")
      throw new Error(`${entryPoint} is imported when it is needed: add its package to EXTERNAL`);
  }
  await writeFile(join(outdir, "licenses.txt"), await licensesOf(Object.keys(metafile.inputs)));
}

/**
 * Keeps the paths that modules use to find files beside them, redirects threads to the bundle, and bundles required
 * modules.
 */
function keepPlaces(sources) {
  return {
    name: "keep-places",
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, async ({ path }) => {
        const place = relative(sources, path);
        if (place.startsWith("..")) return undefined;
        const contents = (await readFile(path, "utf8"))
          .replaceAll("createRequire(import.meta.url)", "require")
          .replaceAll(/(?<!\.js", )import\.meta\.url/g, `new URL("../${place}", import.meta.url).href`);
        return { contents };
      });
    },
  };
}

/** Resolves packages to their ES modules. By default, those with both kinds are resolved to CommonJS. */
function esModules(filter) {
  return {
    name: "es-modules",
    setup({ onResolve }) {
      onResolve({ filter }, async ({ path, resolveDir }) => {
        const file = createRequire(join(resolveDir, "_")).resolve(`${path}/package.json`);
        const { module, sideEffects } = JSON.parse(await readFile(file, "utf8"));
        return { path: join(dirname(file), module), sideEffects };
      });
    },
  };
}
