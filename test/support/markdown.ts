import { readFileSync } from "node:fs";

export interface CodeBlock {
  /** First word after the fence, such as `sh`. */
  readonly language: string;
  /** Rest of the line after that word. */
  readonly note: string;
  readonly text: string;
  /** True if only blank lines separate this block from the one before. */
  readonly adjacent: boolean;
}

/** The fenced blocks of a Markdown text, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  let end = 0;
  return [...markdown.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [whole, language = "", note = "", text = ""] = match;
    const adjacent = markdown.slice(end, match.index).trim() === "";
    end = match.index + whole.length;
    return { language, note, text, adjacent };
  });
}

/** A command or a program, and its output. */
export interface Example {
  readonly command: CodeBlock;
  readonly output: CodeBlock;
}

/** The commands and programs of a Markdown text that are directly followed by their output. */
export function examplesOf(blocks: readonly CodeBlock[]): Example[] {
  return blocks.flatMap((command, index) => {
    const output = blocks[index + 1];
    if (!/^(sh|js)$/.test(command.language) || output?.adjacent !== true) return [];
    return /^(json|text)$/.test(output.language) ? [{ command, output }] : [];
  });
}

const prose = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```$/gm, "");

/** The targets of links and pictures in a Markdown text. */
export function linkTargets(markdown: string): string[] {
  const text = prose(markdown).replace(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)|<img[^>]* src="([^"]+)"/g)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
}

/** Heading anchors of a Markdown file, as GitHub generates them. */
export function anchorsOf(file: string): Set<string> {
  const headings = prose(readFileSync(file, "utf8")).matchAll(/^#{1,6} (.+)$/gm);
  return new Set([...headings].map(([, title = ""]) => slugOf(title)));
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
