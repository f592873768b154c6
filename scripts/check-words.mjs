// Counts the words and habits that docs/develop/style.md replaces, in docs, the contract, comments, messages, test titles and texts of
// the console. A count above the one in scripts/words/baseline.json fails; `--update` lowers it to today's. `--list RULE` shows
// the places, `--rates` how often each occurs in 10,000 words.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findHabits, RULES } from "./words/rules.mjs";
import { commentsOf, hasKnownComments, proseOf, scriptTexts } from "./words/texts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const BASELINE = `${root}scripts/words/baseline.json`;
/** These files quote the replaced words. */
const EXEMPT =
  /^(?:docs\/develop\/style\.md|scripts\/words\/|scripts\/check-words\.mjs|test\/docs\/words\.spec\.ts|scripts\/mutants\/)|(?:^|\/)gen\//;

function textsOf(path) {
  const source = readFileSync(`${root}${path}`, "utf8");
  if (path.endsWith(".md")) return [{ kind: "prose", text: proseOf(source), start: 0, source }];
  const texts = hasKnownComments(path) ? commentsOf(path, source) : scriptTexts(path, source);
  // Strings of tests are data.
  const isTest = /\.spec\.tsx?$|^(?:test|fuzz)\/|\/testing\//.test(path);
  return texts.filter(({ kind }) => kind !== "messages" || !isTest).map((text) => ({ ...text, source }));
}

/** The area that a count belongs to: the kind of text, and the topmost folder. Code may move between `src` and `packages`. */
function areaOf(path, kind) {
  const [folder] = path.includes("/") ? path.split("/") : ["docs"];
  return `${folder === "packages" ? "src" : folder} ${kind}`;
}

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter(
    (path) =>
      (/\.(?:md|tsx?|mjs)$/.test(path) || hasKnownComments(path)) &&
      !EXEMPT.test(path) &&
      existsSync(`${root}${path}`),
  );

const counts = {};
const words = {};
const places = [];
for (const path of files) {
  for (const { kind, text, start, source } of textsOf(path)) {
    const area = areaOf(path, kind);
    words[area] = (words[area] ?? 0) + (text.match(/\p{L}[\p{L}'’-]*/gu)?.length ?? 0);
    for (const { rule, index, words: found } of findHabits(text)) {
      counts[area] = { ...counts[area], [rule]: (counts[area]?.[rule] ?? 0) + 1 };
      const line = source.slice(0, start + index).split("\n").length;
      places.push({ area, rule, text: `${path}:${line}: "${found.trim()}": use ${RULES[rule].use}` });
    }
  }
}

const [option, value] = process.argv.slice(2);
if (option === "--update") {
  const sorted = Object.fromEntries(
    Object.keys(counts)
      .sort()
      .map((area) => [area, counts[area]]),
  );
  writeFileSync(BASELINE, `${JSON.stringify(sorted, null, 2)}\n`);
} else if (option === "--list") {
  for (const { rule, area, text } of places)
    if (value === undefined || rule === value || area.startsWith(value)) console.log(text);
} else if (option === "--rates") {
  for (const area of Object.keys(counts).sort()) {
    const rates = Object.entries(counts[area]).map(
      ([rule, count]) => `${rule} ${((count / words[area]) * 10_000).toFixed(1)}`,
    );
    console.log(`${area} (${words[area]} words): ${rates.join(", ")}`);
  }
} else {
  const baseline = JSON.parse(readFileSync(BASELINE, "utf8"));
  for (const area of Object.keys(counts)) {
    for (const [rule, count] of Object.entries(counts[area])) {
      const allowed = baseline[area]?.[rule] ?? 0;
      if (count <= allowed) continue;
      const ofRule = places.filter((place) => place.area === area && place.rule === rule);
      console.error(
        `${area}: ${count} × ${rule}, at most ${allowed}; use ${RULES[rule].use}. All: check-words.mjs --list ${rule}`,
      );
      for (const place of ofRule.slice(0, 5)) console.error(`  ${place.text}`);
      process.exitCode = 1;
    }
  }
}
