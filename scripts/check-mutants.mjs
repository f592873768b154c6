// Checks that the code of each mutant in mutants/table.mjs stands exactly once in its file: code that moves needs
// its mutants changed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MUTANTS } from "./mutants/table.mjs";

const problems = MUTANTS.flatMap(([name, code]) => {
  const file = join("src", name);
  const times = existsSync(file) ? readFileSync(file, "utf8").split(code).length - 1 : 0;
  return times === 1 ? [] : [`${file}: stands ${times} times, not once: ${code}`];
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
