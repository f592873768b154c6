import { useState } from "react";

/** A place in a list that is read page by page. */
export interface Pages {
  /** Of the page that is shown, from 0. */
  readonly index: number;
  /** Undefined for the first page. */
  readonly pageToken: string | undefined;
  /** Goes to the page that the token stands for. */
  next(pageToken: string): void;
  previous(): void;
  /** Goes to the first page. */
  restart(): void;
}

/**
 * Remembers the way from the first page to the one that is shown, since a page only tells the token of the next. Another
 * list begins with its first page.
 *
 * @param list identifies the list
 */
export function usePages(list: string): Pages {
  const [way, setWay] = useState<{ readonly list: string; readonly tokens: readonly string[] }>({
    list,
    tokens: [],
  });
  const tokens = way.list === list ? way.tokens : [];
  return {
    index: tokens.length,
    pageToken: tokens.at(-1),
    next: (pageToken) => setWay({ list, tokens: [...tokens, pageToken] }),
    restart: () => setWay({ list, tokens: [] }),
    previous: () => setWay({ list, tokens: tokens.slice(0, -1) }),
  };
}
