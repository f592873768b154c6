// Checks that the code of each mutant in mutants/table.mjs stands exactly once in its file: code that moves needs
// its mutants changed. Their specs must exist.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MUTANTS, specsOf } from "./mutants/table.mjs";

const problems = MUTANTS.flatMap((mutant) => {
  const [name, code] = mutant;
  const file = join("src", name);
  const times = existsSync(file) ? readFileSync(file, "utf8").split(code).length - 1 : 0;
  if (times !== 1) return [`${file}: stands ${times} times, not once: ${code}`];
  return hasSpecs(specsOf(mutant)) ? [] : [`${file}: there are no specs in ${specsOf(mutant)}: ${code}`];
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function hasSpecs(path) {
  if (path.endsWith(".spec.ts")) return existsSync(path);
  return existsSync(path) && readdirSync(path, { recursive: true }).some((file) => file.endsWith(".spec.ts"));
}
