import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import type { ConsoleConfig } from "#console/api/console-config.js";
import { Field } from "#console/ui/choose/controls.js";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { Brand, Button, Problem } from "#console/ui/elements/basics.js";
import { Card } from "#console/ui/elements/card.js";
import { useSession } from "./session.js";
import styles from "./sign-in.module.css";
import { tokenProblem } from "./token-problem.js";

/** A field for an access token and, if configured, a button for the authorization server. */
function SignIn({
  config,
  problem,
}: {
  config: ConsoleConfig;
  /** Why the last attempt to sign in failed. */
  problem: string | undefined;
}): ReactNode {
  return (
    <div className={styles.ways}>
      {problem !== undefined && <Problem>Sign-in failed: {problem}</Problem>}
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
      setProblem(`Cannot reach ${oauth.issuer}: ${(error as Error).message}`);
    }
  };
  return (
    <div className={styles.way}>
      <Button look="primary" disabled={leaving} onClick={() => void begin()}>
        Sign in at {new URL(oauth.issuer).host}
      </Button>
      {problem !== undefined && <Problem>{problem}</Problem>}
      <p className={styles.divider}>or</p>
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
  const submitOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    // A token has a single line.
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <form className={styles.way} onSubmit={submit} autoComplete="off">
      <Field>
        <label htmlFor={id}>Access token</label>
        <textarea
          id={id}
          ref={field}
          className="mono"
          rows={4}
          onKeyDown={submitOnEnter}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-help ${id}-problem`}
        />
        <p id={`${id}-help`} className="small soft">
          To create one, run <code>waybill token</code> on the server. The token stays in your open tabs until
          you sign out or close them.
        </p>
        <Problem id={`${id}-problem`}>{problem}</Problem>
      </Field>
      <Button type="submit" look={prominent ? "primary" : "normal"}>
        Sign in
      </Button>
    </form>
  );
}

export function SignedOut({
  config,
  problem,
}: {
  config: ConsoleConfig;
  problem: string | undefined;
}): ReactNode {
  return (
    <BarePage>
      <h1 className={styles.brand}>
        <Brand />
      </h1>
      <p>How are my messages doing, since when, and which label is to blame?</p>
      <Card>
        <h2>Sign in</h2>
        <SignIn config={config} problem={problem} />
      </Card>
      <p className="small soft">Version {config.version}</p>
    </BarePage>
  );
}

/** Asks for a new token in a dialog, so that the view stays. */
export function ExpiredDialog({ config, problem }: { config: ConsoleConfig; problem: string }): ReactNode {
  return (
    <Dialog title="Sign in again">
      <p>The service no longer accepts your access token: {problem} Your view is kept.</p>
      <SignIn config={config} problem={undefined} />
    </Dialog>
  );
}

/** A narrow page without pickers and tabs. */
export const BarePage = ({ children }: { children: ReactNode }): ReactNode => (
  <main className={styles.page}>{children}</main>
);
