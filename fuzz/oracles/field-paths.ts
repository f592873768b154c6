/** The paths in a valid selection of fields, with parentheses expanded. */
export function expectedPaths(text: string): string[][] {
  return commaSeparated(text).flatMap((field) => {
    const open = field.indexOf("(");
    const path = field.slice(0, open < 0 ? undefined : open).split(/[/.]/);
    if (open < 0) return [path];
    return expectedPaths(field.slice(open + 1, -1)).map((rest) => [...path, ...rest]);
  });
}

function commaSeparated(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")") depth--;
    else if (text[at] === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
