import { type ReactNode, useEffect, useRef } from "react";
import type { ConsoleConfig } from "#console/api/console-config.js";
import { Brand } from "#console/ui/elements/brand.js";
import { Card } from "#console/ui/elements/card.js";
import { BarePage } from "./bare-page.js";
import { SignIn } from "./sign-in.js";
import styles from "./signed-out.module.css";

/** The page for a viewer who is not signed in. */
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

/** Asks for a new token in a dialog over the page, which keeps the view. */
export function ExpiredDialog({ config, problem }: { config: ConsoleConfig; problem: string }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="expired-title"
      // Without a token there is nothing to return to.
      onCancel={(event) => event.preventDefault()}
      // Browsers close the dialog on a second cancel in spite of `preventDefault`.
      onClose={() => dialog.current?.showModal()}
    >
      <h2 id="expired-title">Sign in again</h2>
      <p>The access token is no longer accepted: {problem} Your view stays as it is.</p>
      <SignIn config={config} problem={undefined} />
    </dialog>
  );
}
