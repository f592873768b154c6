import { fileURLToPath } from "node:url";
import { defaultClientConditions, defineConfig } from "vite";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

// Relative addresses, so that the page works below any path that a proxy puts before it.
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
    // The policy of the page allows no data in place of a file.
    assetsInlineLimit: 0,
    // One style sheet: rules keep their order, whatever part loads first.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    target: "es2023",
    reportCompressedSize: false,
    // Licences of the bundled packages must go with them.
    license: { fileName: "licenses.md" },
    rollupOptions: {
      // Libraries mark what runs in a browser only; all of this page does.
      onwarn: (warning, warn) => {
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
    },
  },
});
