import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { clearVisits } from "#console/ui/view/visits.js";

/** Key in session storage. The browser deletes it when the tab is closed. */
const STORAGE_KEY = "waybill.accessToken";

/** The access token of this tab, and methods to change it. */
export interface Session {
  readonly token: string | undefined;
  /** Error message of the service that rejected the last token. Undefined if none did. */
  readonly problem: string | undefined;
  signIn(token: string): void;
  signOut(): void;
  /**
   * Records that a service has rejected a token. Keeps a token that worked before, so that the view stays. Deletes
   * one * that never worked.
   */
  reject(token: string, problem: string, wasAdmitted: boolean): void;
}

type State = Pick<Session, "token" | "problem">;

const SessionContext = createContext<Session | undefined>(undefined);

/** Keeps the access token in memory and in session storage, so that it survives a reload. */
export function SessionProvider({ children }: { children: ReactNode }): ReactNode {
  const [state, setState] = useState<State>(() => ({ token: storedToken(), problem: undefined }));
  const { token } = state;
  useEffect(() => store(token), [token]);
  const changes = useMemo(
    () => ({
      signIn: (next: string) => setState({ token: next, problem: undefined }),
      signOut: () => {
        clearVisits();
        setState({ token: undefined, problem: undefined });
      },
      // Ignores a late rejection of an earlier token.
      reject: (rejected: string, problem: string, wasAdmitted: boolean) =>
        setState((now) =>
          now.token === rejected ? { token: wasAdmitted ? rejected : undefined, problem } : now,
        ),
    }),
    [],
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
