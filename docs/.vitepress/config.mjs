// The docs site. `npm run docs` shows it while you write, `npm run docs:build` writes it to `docs-dist`, where the server finds it.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { licensesOf } from "../../scripts/licenses.mjs";
import { methodPages } from "./methods.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const OUT = join(ROOT, "docs-dist");
const BASE = "/docs/";
const top = readdirSync(ROOT, { withFileTypes: true });
/** Top-level pages, except the README. */
const TOP_PAGES = top.map(({ name }) => name).filter((name) => name.endsWith(".md") && name !== "README.md");
/** Folders without pages. */
const FOLDERS = top.filter((entry) => entry.isDirectory() && entry.name !== "docs").map(({ name }) => name);
/** Folder with files that pages link to. The site has a copy. */
const EXAMPLES = "examples/";

/** Returns a heading's anchor on GitHub, so that links work in both places. */
const slugify = (title) =>
  title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const escapeHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The sidebar, from the lists of links below the headings of docs/README.md. */
function sidebarOf(index) {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf("\n")),
      collapsed: false,
      items: [...section.matchAll(/^\* \[(.+?)\]\((.+?)\)/gm)].map(([, text, target]) => ({
        text: text.replaceAll("`", ""),
        link: linkFrom(join(ROOT, "docs/README.md"), target),
      })),
    }));
}

/** Returns a link's address on the site; undefined if the site does not have its target. */
function linkFrom(file, target) {
  if (/^([a-z]+:|#|\/)/.test(target)) return target;
  const [path, anchor] = target.split("#");
  const place = relative(ROOT, resolve(dirname(file), path));
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (place.startsWith("docs/")) return place.slice("docs".length).replace(/README\.md$/, "") + hash;
  if (TOP_PAGES.includes(place)) return `/${place}${hash}`;
  return place.startsWith(EXAMPLES) ? `${BASE}${place}` : undefined;
}

/** Points links to where the site has their targets, and shows other links to the repository as text. */
function relink({ tokens, env }) {
  for (const { children } of tokens) {
    const open = [];
    for (const token of children ?? []) {
      if (token.type === "link_open") {
        const link = linkFrom(env.realPath ?? env.path, token.attrGet("href"));
        if (link !== undefined) token.attrSet("href", link);
        if (link?.startsWith(BASE)) token.attrSet("target", "_self");
        open.push(link);
      }
      if (token.type !== "link_open" && token.type !== "link_close") continue;
      const link = token.type === "link_open" ? open.at(-1) : open.pop();
      if (link !== undefined) continue;
      token.type = "text";
      token.content = "";
    }
  }
}

/** Moves scripts of a page into files, and removes style attributes: the content security policy allows neither. */
function withoutInlineCode(html) {
  return html
    .replaceAll(/ style="[^"]*"/g, "")
    .replaceAll(/<script(?: id="[\w-]+")?>([^<]+)<\/script>/g, (_, text) => {
      const name = `assets/inline.${createHash("sha256").update(text).digest("hex").slice(0, 8)}.js`;
      mkdirSync(join(OUT, "assets"), { recursive: true });
      writeFileSync(join(OUT, name), text);
      return `<script src="${BASE}${name}"></script>`;
    });
}

/** Adds the licenses of bundled packages, such as Vue, to the site. */
function licenses() {
  let isSite = false;
  return {
    name: "licenses",
    configResolved: ({ build }) => {
      isSite = !build.ssr;
    },
    async generateBundle(_options, bundle) {
      if (!isSite) return;
      const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
      // Names of virtual modules begin with a null character.
      const files = modules.map((module) => module.replace("\0", ""));
      this.emitFile({ type: "asset", fileName: "licenses.txt", source: await licensesOf(files) });
    },
  };
}

export default defineConfig({
  title: "Waybill",
  description: "Self-hosted delivery analytics for push messages",
  base: BASE,
  srcDir: ROOT,
  srcExclude: ["README.md", ...FOLDERS.map((name) => `${name}/**`)],
  outDir: OUT,
  cacheDir: join(ROOT, "node_modules", ".cache", "vitepress"),
  rewrites: (path) => path.replace(/^docs\//, "").replace(/README\.md$/, "index.md"),
  cleanUrls: true,
  metaChunk: true,
  // The choice of colors would need an inline style; the system decides.
  appearance: false,
  markdown: {
    anchor: { slugify },
    // Colors would need inline styles, which the content security policy does not allow.
    highlight: (code) => `<pre v-pre><code>${escapeHtml(code)}</code></pre>`,
    config: (md) => {
      const render = md.render.bind(md);
      md.render = (text, env) => render(text.replace("<!-- methods -->", methodPages), env);
      md.core.ruler.push("relink", relink);
    },
  },
  vite: { plugins: [licenses()] },
  transformHtml: withoutInlineCode,
  buildEnd: () => cpSync(join(ROOT, EXAMPLES), join(OUT, EXAMPLES), { recursive: true }),
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: sidebarOf(readFileSync(join(ROOT, "docs/README.md"), "utf8")),
    docFooter: { prev: false, next: false },
  },
});
