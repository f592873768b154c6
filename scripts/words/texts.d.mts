export interface Text {
  readonly kind: "comments" | "messages" | "titles";
  readonly text: string;
  readonly start: number;
}
export function proseOf(markdown: string): string;
export function hasKnownComments(path: string): boolean;
export function commentsOf(path: string, source: string): Text[];
export function scriptTexts(path: string, source: string): Text[];
