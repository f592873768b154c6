/**
 * Placeholders for the JSON members with app id and label, and for figures. In JSON, these characters occur only in
 * escaped form.
 */
const APP = "\u0001";
const LABEL = "\u0002";
const FIGURE = "\u0003";

/** Matches numbers. 64-bit integers are in quotes. */
const FIGURES = /(?<=[:"])-?\d[\d.eE+-]*(?=[",}])/g;

/** JSON from upstream in two parts, which need a third of the space. Many entries have the same form. */
export interface PackedOriginal {
  /** The JSON with placeholders for app id, label and figures. */
  readonly form: string;
  /** Figures exactly as in the JSON, separated by spaces. Null if the form is the complete JSON. */
  readonly figures: string | null;
}

/** Splits an entry's JSON into form and figures. Accepts any string. */
export function packOriginal(text: string, appId: string, label: string): PackedOriginal {
  if ([APP, LABEL, FIGURE].some((character) => text.includes(character)))
    return { form: text, figures: null };
  const figures: string[] = [];
  const form = text
    .replace(appMember(appId), APP)
    .replace(labelMember(label), LABEL)
    .replace(FIGURES, (figure) => {
      figures.push(figure);
      return FIGURE;
    });
  return { form, figures: figures.join(" ") };
}

/** Restores the JSON from {@link packOriginal}. */
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
