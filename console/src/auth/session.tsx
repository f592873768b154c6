import { createContext, type ReactNode, use, useMemo, useState } from "react";

/** Where the token lies, for this tab only and until it is closed. */
const STORAGE_KEY = "waybill.accessToken";

/** Who is signed in, and how that changes. */
export interface Session {
  readonly token: string | undefined;
  /** A service has refused the token since it was given. */
  readonly expired: boolean;
  signIn(token: string): void;
  signOut(): void;
  expire(token: string): void;
}

interface State {
  readonly token: string | undefined;
  readonly expired: boolean;
}

const SessionContext = createContext<Session | undefined>(undefined);

/** Keeps the access token: in memory, and in the storage of this tab so that the page can be loaded anew. */
export function SessionProvider({ children }: { children: ReactNode }): ReactNode {
  const [state, setState] = useState<State>(() => ({ token: storedToken(), expired: false }));
  const session = useMemo<Session>(() => {
    const keep = (token: string | undefined): void => {
      store(token);
      setState({ token, expired: false });
    };
    return {
      ...state,
      signIn: keep,
      signOut: () => keep(undefined),
      // What was asked for with a former token says nothing of this one.
      expire: (token) => setState((now) => (now.token === token ? { token, expired: true } : now)),
    };
  }, [state]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The session of this tab. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("there is no session outside of its provider");
  return session;
}

// A browser may be told to keep nothing; the token is then in memory only.
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
    // As above.
  }
}
