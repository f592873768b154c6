import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { forgetVisits } from "#console/ui/view/visited-apps.js";

/** Key in the session storage, which lasts until the tab is closed. */
const STORAGE_KEY = "waybill.accessToken";

/** The access token of this tab, and its changes. */
export interface Session {
  readonly token: string | undefined;
  /** Reason why a service has rejected the last token, in its own sentence; undefined if it has not. */
  readonly problem: string | undefined;
  signIn(token: string): void;
  signOut(): void;
  /**
   * Notes that a service has rejected a token. One that worked before stays, with the view of its holder; one
   * that never worked is forgotten.
   */
  reject(token: string, problem: string, wasAdmitted: boolean): void;
}

type State = Pick<Session, "token" | "problem">;

const SessionContext = createContext<Session | undefined>(undefined);

/** Keeps the access token in memory and in the tab's session storage, where it survives a reload. */
export function SessionProvider({ children }: { children: ReactNode }): ReactNode {
  const [state, setState] = useState<State>(() => ({ token: storedToken(), problem: undefined }));
  const { token } = state;
  useEffect(() => store(token), [token]);
  const changes = useMemo(
    () => ({
      signIn: (next: string) => setState({ token: next, problem: undefined }),
      signOut: () => {
        forgetVisits();
        setState({ token: undefined, problem: undefined });
      },
      // A rejection of an earlier token says nothing about the current one.
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
