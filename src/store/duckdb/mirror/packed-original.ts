import { LRUCache } from "lru-cache";

/**
 * Placeholders for the JSON members with app id and label, and for figures. In JSON, these characters occur only in
 * escaped form.
 */
const APP = "\u0001";
const LABEL = "\u0002";
const FIGURE = "\u0003";

const FIGURE_PATTERN = String.raw`-?\d[\d.eE+-]*`;
/** Matches numbers. 64-bit integers are in quotes. */
const FIGURES = new RegExp(`(?<=[:"])${FIGURE_PATTERN}(?=[",}])`, "g");

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
/** Maximum number of patterns that a packer creates, because each costs as much as packing several entries. */
const MAX_PATTERNS = 64;

/** Splits JSON of entries. This needs less time for a form that has occurred recently. */
export class OriginalPacker {
  /** Patterns for JSON of the last forms. */
  readonly #recent = new LRUCache<string, RegExp>({ max: MAX_RECENT });
  #patterns = 0;

  /** Splits an entry's JSON into form and figures. Accepts any string. */
  pack(text: string, appId: string, label: string): PackedOriginal {
    if ([APP, LABEL, FIGURE].some((character) => text.includes(character)))
      return { form: text, figures: null };
    const unnamed = text.replace(appMember(appId), APP).replace(labelMember(label), LABEL);
    // The most recently used form comes first.
    for (const [form, pattern] of this.#recent.entries()) {
      const match = pattern.exec(unnamed);
      if (match === null) continue;
      this.#recent.get(form);
      return { form, figures: match.slice(1).join(" ") };
    }
    const form = unnamed.replace(FIGURES, FIGURE);
    if (form.length <= MAX_FORM_LENGTH && this.#patterns < MAX_PATTERNS) {
      this.#patterns++;
      this.#recent.set(form, patternOf(form));
    }
    return { form, figures: (unnamed.match(FIGURES) ?? []).join(" ") };
  }
}

/** Returns a pattern that captures all figures of a form. */
const patternOf = (form: string): RegExp =>
  new RegExp(`^${form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(FIGURE, `(${FIGURE_PATTERN})`)}$`);

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
