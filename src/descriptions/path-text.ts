import type { PathTemplate, TemplateVariable } from "../transcoding/path-template.js";

/** A wildcard of a path template, `*` or `**`. */
export interface Wildcard {
  /** The literal segment before the wildcard, such as `projects`. */
  readonly collection: string | undefined;
  /** The variable that contains the wildcard, if any. */
  readonly variable: TemplateVariable | undefined;
}

/** Formats a path template and replaces each wildcard. */
export function pathWithWildcards(template: PathTemplate, write: (wildcard: Wildcard) => string): string {
  const { segments } = template;
  const written = segments.map((segment, index) => {
    if (segment.kind === "literal") return segment.text;
    const before = segments[index - 1];
    const collection = before?.kind === "literal" ? before.text : undefined;
    return write({ collection, variable: variableAt(template, index) });
  });
  return withVerb(template, written);
}

/** Formats a path template and replaces each variable. */
export function pathWithVariables(
  template: PathTemplate,
  write: (variable: TemplateVariable) => string,
): string {
  const written = template.segments.flatMap((segment, index) => {
    const variable = variableAt(template, index);
    // A wildcard outside of a variable matches any name (AIP-159).
    if (variable === undefined) return segment.kind === "literal" ? segment.text : "-";
    return index === variable.start ? write(variable) : [];
  });
  return withVerb(template, written);
}

const variableAt = ({ variables }: PathTemplate, index: number): TemplateVariable | undefined =>
  variables.find(({ start, end }) => start <= index && index < end);

const withVerb = ({ verb }: PathTemplate, segments: readonly string[]): string =>
  `/${segments.join("/")}${verb === undefined ? "" : `:${verb}`}`;
