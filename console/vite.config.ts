import { fileURLToPath } from "node:url";
import { defaultClientConditions, defineConfig } from "vite";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

// Relative URLs, so that the page works below any path prefix of a proxy.
export default defineConfig({
  root: path("."),
  base: "./",
  logLevel: "warn",
  esbuild: { jsx: "automatic" },
  resolve: { conditions: ["@waybill/source", ...defaultClientConditions] },
  build: {
    outDir: path("../dist/console"),
    emptyOutDir: true,
    assetsDir: "assets",
    // The content security policy blocks `data:` URLs.
    assetsInlineLimit: 0,
    // One style sheet, so that the order of rules does not depend on which part loads first.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    target: "es2023",
    reportCompressedSize: false,
    // Licenses of bundled packages must be distributed with them.
    license: { fileName: "licenses.md" },
    rollupOptions: {
      // Each file costs a request, and compresses better within a larger one.
      output: { experimentalMinChunkSize: 40_000 },
      // "use client" directives of libraries have no effect here.
      onwarn: (warning, warn) => {
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
    },
  },
});
