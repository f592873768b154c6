export interface Text {
  readonly kind: "comments" | "messages" | "titles";
  readonly text: string;
  readonly start: number;
}
export function proseOf(markdown: string): string;
export function protoTexts(source: string): Text[];
export function scriptTexts(path: string, source: string): Text[];
