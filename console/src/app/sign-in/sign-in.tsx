import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import type { ConsoleConfig } from "../../api/console-config.js";
import { useSession } from "./session.js";
import { tokenProblem } from "./token-problem.js";

/** Offers a field for an access token and, if configured, sign-in at the authorization server. */
export function SignIn({
  config,
  problem,
}: {
  config: ConsoleConfig;
  /** Reason why the last attempt to sign in failed. */
  problem: string | undefined;
}): ReactNode {
  return (
    <div className="sign-in">
      {problem !== undefined && (
        <p role="alert" className="problem">
          You are not signed in: {problem}
        </p>
      )}
      {config.oauth !== undefined && <OAuthSignIn oauth={config.oauth} />}
      <TokenForm prominent={config.oauth === undefined} />
    </div>
  );
}

function OAuthSignIn({ oauth }: { oauth: NonNullable<ConsoleConfig["oauth"]> }): ReactNode {
  const [problem, setProblem] = useState<string>();
  const [leaving, setLeaving] = useState(false);
  const begin = async (): Promise<void> => {
    setLeaving(true);
    setProblem(undefined);
    try {
      const { beginSignIn } = await import("./oauth.js");
      await beginSignIn(oauth, window.location.search);
    } catch (error) {
      setLeaving(false);
      setProblem(`${oauth.issuer} cannot be asked: ${(error as Error).message}`);
    }
  };
  return (
    <div className="sign-in-way">
      <button type="button" className="button-primary" disabled={leaving} onClick={() => void begin()}>
        Sign in at {new URL(oauth.issuer).host}
      </button>
      {problem !== undefined && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      <p className="divider">or</p>
    </div>
  );
}

function TokenForm({ prominent }: { prominent: boolean }): ReactNode {
  const { signIn } = useSession();
  const field = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const token = (field.current?.value ?? "").replace(/^Bearer\s+/i, "").trim();
    const found = tokenProblem(token, Date.now());
    setProblem(found);
    if (found === undefined) signIn(token);
    else field.current?.focus();
  };
  return (
    <form className="sign-in-way" onSubmit={submit} autoComplete="off">
      <div className="field">
        <label htmlFor={id}>Access token</label>
        <textarea
          id={id}
          ref={field}
          className="mono"
          rows={4}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-help ${id}-problem`}
        />
        <p id={`${id}-help`} className="small soft">
          It is kept in this tab only, until you sign out or close it. On the machine of the server,{" "}
          <code>waybill token</code> makes one.
        </p>
        <p id={`${id}-problem`} role="alert" className="problem">
          {problem}
        </p>
      </div>
      <button type="submit" className={prominent ? "button-primary" : ""}>
        Sign in
      </button>
    </form>
  );
}
