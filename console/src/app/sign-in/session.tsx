import { createContext, type ReactNode, use, useMemo, useState } from "react";

/** Key in the session storage, which lasts until the tab is closed. */
const STORAGE_KEY = "waybill.accessToken";

/** The access token of this tab, and its changes. */
export interface Session {
  readonly token: string | undefined;
  /** True if a service has rejected the token. */
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

/** Keeps the access token in memory and in the tab's session storage, where it survives a reload. */
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
      // A rejection of an earlier token says nothing about the current one.
      expire: (token) => setState((now) => (now.token === token ? { token, expired: true } : now)),
    };
  }, [state]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The session of this tab. @throws Error outside of its provider. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("there is no session outside of its provider");
  return session;
}

// The browser may refuse storage; the token then stays in memory only.
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
