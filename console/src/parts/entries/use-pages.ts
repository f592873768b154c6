import { useState } from "react";

/** A position in a paginated list. */
export interface Pages {
  /** Index of the current page, from 0. */
  readonly index: number;
  /** Undefined for the first page. */
  readonly pageToken: string | undefined;
  /** Goes to the page of the token. */
  next(pageToken: string): void;
  previous(): void;
  /** Goes to the first page. */
  restart(): void;
}

/**
 * Remembers the page tokens up to the current page, because a page names only its successor. Another list
 * begins at its first page.
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
