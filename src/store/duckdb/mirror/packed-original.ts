import { LRUCache } from "lru-cache";
import { at } from "../../../model/collections.js";

/**
 * Placeholders for the JSON members with app id and label, and for figures. In JSON, these characters occur only in
 * escaped form.
 */
const APP = "\u0001";
const LABEL = "\u0002";
const FIGURE = "\u0003";
const PLACEHOLDERS = new RegExp(`[${APP}${LABEL}${FIGURE}]`, "g");

const FIGURE_PATTERN = String.raw`-?\d[\d.eE+-]*`;
/** Matches numbers. 64-bit integers are in quotes. */
const FIGURES = new RegExp(`(?<=[:"])${FIGURE_PATTERN}(?=[",}])`, "g");

/** Matches an app id or a label that was not replaced. A pattern with it could match JSON that has another form itself. */
const NAMES = /"(?:appId|analyticsLabel)":/;
/** Matches a string in JSON. */
const STRING_PATTERN = String.raw`("(?:[^"\\]|\\.)*")`;

/** JSON from upstream in two parts, which need a third of the space. Many entries have the same form. */
export interface PackedOriginal {
  /** The JSON with placeholders for app id, label and figures. */
  readonly form: string;
  /** Figures exactly as in the JSON, separated by spaces. Null if the form is the complete JSON. */
  readonly figures: string | null;
}

/** Number of forms to compare with each JSON. */
const MAX_RECENT = 8;
/** Maximum length of these forms. Known fields of an entry need less. */
const MAX_FORM_LENGTH = 4_096;
/** Maximum length of JSON that is compared with forms. Matching a string of millions of characters would fail. */
const MAX_MATCHED_LENGTH = 65_536;
/** Maximum number of patterns that a packer creates, because each costs as much as packing several entries. */
const MAX_PATTERNS = 64;

/** Matches JSON of one form. */
interface FormPattern {
  readonly pattern: RegExp;
  /** Placeholders of the captured groups, in order. */
  readonly groups: readonly string[];
}

/** Splits JSON of entries. This needs less time for a form that has occurred recently. */
export class OriginalPacker {
  /** Patterns for JSON of the last forms. */
  readonly #recent = new LRUCache<string, FormPattern>({ max: MAX_RECENT });
  #patterns = 0;

  /** Splits an entry's JSON into form and figures. Accepts any string. */
  pack(text: string, appId: string, label: string): PackedOriginal {
    const known = text.length <= MAX_MATCHED_LENGTH ? this.#packByForm(text, appId, label) : undefined;
    if (known !== undefined) return known;
    if (text.search(PLACEHOLDERS) !== -1) return { form: text, figures: null };
    const unnamed = text.replace(appMember(appId), APP).replace(labelMember(label), LABEL);
    const form = unnamed.replace(FIGURES, FIGURE);
    if (form.length <= MAX_FORM_LENGTH && this.#patterns < MAX_PATTERNS && !NAMES.test(form)) {
      this.#patterns++;
      this.#recent.set(form, patternOf(form));
    }
    return { form, figures: (unnamed.match(FIGURES) ?? []).join(" ") };
  }

  #packByForm(text: string, appId: string, label: string): PackedOriginal | undefined {
    // The most recently used form comes first.
    for (const [form, pattern] of this.#recent.entries()) {
      const figures = figuresOf(text, pattern, appId, label);
      if (figures === undefined) continue;
      this.#recent.get(form);
      return { form, figures };
    }
    return undefined;
  }
}

/** Returns a pattern that captures app id, label and figures of JSON with a form. */
function patternOf(form: string): FormPattern {
  const source = form
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(FIGURE, `(${FIGURE_PATTERN})`)
    .replace(APP, () => `"appId":${STRING_PATTERN}`)
    .replace(LABEL, () => `"analyticsLabel":${STRING_PATTERN}`);
  return { pattern: new RegExp(`^${source}$`), groups: form.match(PLACEHOLDERS) ?? [] };
}

/** Returns the figures in an entry's JSON; `undefined` if it has another form, app id or label. */
function figuresOf(
  text: string,
  { pattern, groups }: FormPattern,
  appId: string,
  label: string,
): string | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  let figures = "";
  for (let i = 0; i < groups.length; i++) {
    const value = at(match, i + 1);
    const kind = groups[i];
    if (kind === FIGURE) figures += figures === "" ? value : ` ${value}`;
    else if (value !== JSON.stringify(kind === APP ? appId : label)) return undefined;
  }
  return figures;
}

/** Restores the JSON from {@link OriginalPacker}. */
export function unpackOriginal({ form, figures }: PackedOriginal, appId: string, label: string): string {
  if (figures === null) return form;
  const values = figures.split(" ");
  let text = "";
  for (const [index, part] of form.split(FIGURE).entries())
    text += index === 0 ? part : values[index - 1] + part;
  return text.replace(APP, () => appMember(appId)).replace(LABEL, () => labelMember(label));
}

const appMember = (appId: string): string => `"appId":${JSON.stringify(appId)}`;
const labelMember = (label: string): string => `"analyticsLabel":${JSON.stringify(label)}`;
