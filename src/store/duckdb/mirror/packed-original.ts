/** Stand for the members with app id and label, and for a figure; characters that texts in JSON only have escaped. */
const APP = "\u0001";
const LABEL = "\u0002";
const FIGURE = "\u0003";

/** Numbers, also in quotes, as integers of 64 bits are. */
const FIGURES = /(?<=[:"])-?\d[\d.eE+-]*(?=[",}])/g;

/** The text of an original in two parts, which take a third of its space: the same few forms occur again and again. */
export interface PackedOriginal {
  /** The text without app id, label and figures. */
  readonly form: string;
  /** The figures to the letter, separated by spaces; null if the form is the text as it is. */
  readonly figures: string | null;
}

/** Divides a text, which may be any, about the label of an app. */
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

/** Returns the text that {@link packOriginal} divided. */
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
