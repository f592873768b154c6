import { readFileSync } from "node:fs";

/** A fenced block of code. */
export interface CodeBlock {
  /** The first word behind the fence, such as `sh`. */
  readonly language: string;
  /** What follows that word. */
  readonly note: string;
  readonly text: string;
  /** Whether nothing but blank lines lies between this block and the one before. */
  readonly adjacent: boolean;
}

/** The fenced blocks of a Markdown text, in their order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  let end = 0;
  return [...markdown.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [whole, language = "", note = "", text = ""] = match;
    const adjacent = markdown.slice(end, match.index).trim() === "";
    end = match.index + whole.length;
    return { language, note, text, adjacent };
  });
}

const prose = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```$/gm, "");

/** The targets of the links and pictures of a Markdown text. */
export function linkTargets(markdown: string): string[] {
  const text = prose(markdown).replace(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)|<img[^>]* src="([^"]+)"/g)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
}

/** The anchors of the headings of a Markdown file, as GitHub makes them. */
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
