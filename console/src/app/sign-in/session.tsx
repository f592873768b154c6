import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { clearVisits } from "#console/ui/view/visits.js";
import { shareSession } from "./shared-session.js";

/** Key in session storage. The browser deletes it when the tab is closed. */
const STORAGE_KEY = "waybill.accessToken";

/** The access token of this tab, and methods to change it. */
export interface Session {
  readonly token: string | undefined;
  /** Number of this sign-in. Each sign-in starts with an empty cache, even with the same token. */
  readonly number: number;
  /** Error message of the service that rejected the last token. Undefined if none did. */
  readonly problem: string | undefined;
  signIn(token: string): void;
  /** Signs out, in all tabs. */
  signOut(): void;
  /**
   * Records that a service has rejected a sign-in's token. Keeps a token that worked before, so that the view stays.
   * Deletes one that never worked.
   */
  reject(number: number, problem: string, wasAdmitted: boolean): void;
}

type State = Pick<Session, "token" | "number" | "problem">;

const SessionContext = createContext<Session | undefined>(undefined);

const signedIn = ({ number }: State, token: string): State => ({
  token,
  number: number + 1,
  problem: undefined,
});
const signedOut = ({ number }: State): State => ({ token: undefined, number, problem: undefined });

/**
 * Keeps the access token in memory and in session storage, so that it survives a reload. A new tab gets the token from
 * another open tab.
 */
export function SessionProvider({ children }: { children: ReactNode }): ReactNode {
  const [state, setState] = useState<State>(() => ({ token: storedToken(), number: 0, problem: undefined }));
  const { token, problem } = state;
  useEffect(() => store(token), [token]);
  const [tabs] = useState(shareSession);
  useEffect(
    () =>
      tabs.listen({
        // Without a valid token, uses another tab's token.
        onToken: (other) =>
          setState((now) =>
            now.token === undefined || now.problem !== undefined ? signedIn(now, other) : now,
          ),
        onSignOut: () => setState(signedOut),
      }),
    [tabs],
  );
  useEffect(() => tabs.offer(problem === undefined ? token : undefined), [tabs, token, problem]);
  const changes = useMemo(
    () => ({
      signIn: (next: string) => {
        setState((now) => signedIn(now, next));
        tabs.send(next);
      },
      signOut: () => {
        clearVisits();
        setState(signedOut);
        tabs.send(undefined);
      },
      // Ignores a late rejection of an earlier sign-in.
      reject: (number: number, problem: string, wasAdmitted: boolean) =>
        setState((now) =>
          now.number === number ? { number, token: wasAdmitted ? now.token : undefined, problem } : now,
        ),
    }),
    [tabs],
  );
  const session = useMemo<Session>(() => ({ ...state, ...changes }), [state, changes]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Returns the session of this tab. @throws Error outside `SessionProvider`. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("useSession needs a SessionProvider");
  return session;
}

// If the browser blocks storage, the token stays in memory only.
function storedToken(): string | undefined {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

function store(token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, token);
  } catch {
    // The token stays in memory only.
  }
}
