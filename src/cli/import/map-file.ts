import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { CommandFailure } from "../support/command-failure.js";
import { readFlagFile } from "../support/read-flag-file.js";
import { type EventMap, eventMapSchema } from "./event-map.js";
import { shown } from "./row.js";

/**
 * Reads the map of a log: a YAML file.
 *
 * @throws CommandFailure that names the key and the line of each mistake.
 */
export async function readMapFile(file: string): Promise<EventMap> {
  const lines = new LineCounter();
  const document = parseDocument(await readFlagFile("--map", file), {
    logLevel: "error",
    lineCounter: lines,
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const [message = ""] = problem.message.split("\n");
    throw new CommandFailure(`${file}: ${shown(message.replace(/:$/, ""))}`, { cause: problem });
  }
  const result = eventMapSchema.safeParse(document.toJS(), {
    error: ({ input }) => (input === undefined ? "is required" : undefined),
  });
  if (result.success) return result.data;
  const mistakes = result.error.issues.flatMap(mistakesOf).map(({ path, message }) => {
    const line = lineOf(document, lines, path);
    return `${file}: line ${line}: ${shown(path.join(".") || "the map")}: ${message}`;
  });
  throw new CommandFailure(mistakes.join("\n"));
}

interface Mistake {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function mistakesOf(issue: z.core.$ZodIssue): readonly Mistake[] {
  if (issue.code !== "unrecognized_keys") return [issue];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: "is not a known key" }));
}

/** The line of a path, or of the nearest node around it. */
function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
