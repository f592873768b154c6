import { type ReactNode, useEffect, useRef } from "react";
import type { ConsoleConfig } from "../../api/console-config.js";
import { SignIn } from "./sign-in.js";

/** The page for a viewer who is not signed in. */
export function SignedOut({
  config,
  problem,
}: {
  config: ConsoleConfig;
  problem: string | undefined;
}): ReactNode {
  return (
    <main className="signed-out">
      <h1 className="brand">Waybill</h1>
      <p>How are my messages doing, since when, and which label is to blame?</p>
      <div className="card">
        <h2>Sign in</h2>
        <SignIn config={config} problem={problem} />
      </div>
      <p className="small soft">Version {config.version}</p>
    </main>
  );
}

/** Asks for a new token in a dialog over the page, which keeps the view. */
export function ExpiredDialog({ config }: { config: ConsoleConfig }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="expired-title"
      // Without a token there is nothing to return to.
      onCancel={(event) => event.preventDefault()}
      // Browsers close the dialog on a second cancel in spite of `preventDefault`.
      onClose={() => dialog.current?.showModal()}
    >
      <h2 id="expired-title">Sign in again</h2>
      <p>The access token is not accepted any more. Your view stays as it is.</p>
      <SignIn config={config} problem={undefined} />
    </dialog>
  );
}
