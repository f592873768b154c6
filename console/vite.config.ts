import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

// Relative addresses, so that the page works below any path that a proxy puts before it.
export default defineConfig({
  root: path("."),
  base: "./",
  esbuild: { jsx: "automatic" },
  build: {
    outDir: path("../dist/console"),
    emptyOutDir: true,
    assetsDir: "assets",
    // The policy of the page allows no data in place of a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    reportCompressedSize: false,
  },
});
