import { type ReactNode, useEffect, useRef, useState } from "react";
import type { AttestedAppRef } from "#console/api/integrity-api.js";
import { useIntegrityApi } from "#console/api/integrity-queries.js";
import { MAX_TOKEN_NAME, newDebugSecret } from "#console/model/integrity/debug-token.js";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { Button } from "#console/ui/elements/basics.js";
import { Copied } from "#console/ui/elements/copied.js";
import { ChangeForm, TextField } from "../../change/change-form.js";
import { useChange } from "../../change/use-change.js";
import type { DialogEnds } from "../../change/use-dialog.js";
import styles from "./create-token-dialog.module.css";

/** Creates a debug token, and then shows its secret once. */
export function CreateTokenDialog({ app, onClose, onDone }: { app: AttestedAppRef } & DialogEnds): ReactNode {
  const [created, setCreated] = useState<{ readonly name: string; readonly secret: string }>();
  if (created === undefined) {
    return (
      <Dialog title="Create a debug token" onClose={onClose}>
        <CreateForm app={app} onCancel={onClose} onCreated={(name, secret) => setCreated({ name, secret })} />
      </Dialog>
    );
  }
  // Only the button closes it, because the secret would be lost.
  return (
    <Dialog key="created" title={`Secret of ${created.name}`}>
      <Secret {...created} onClose={() => onDone(`Created ${created.name}.`)} />
    </Dialog>
  );
}

function CreateForm({
  app,
  onCancel,
  onCreated,
}: {
  app: AttestedAppRef;
  onCancel: () => void;
  onCreated: (name: string, secret: string) => void;
}): ReactNode {
  const api = useIntegrityApi();
  const [typed, setTyped] = useState("");
  const secret = useRef("");
  const name = typed.trim();
  const change = useChange(
    () => {
      // Uses a new secret for each attempt, because the server may have stored the last one.
      secret.current = newDebugSecret();
      return api.createDebugToken(app, name, secret.current);
    },
    { done: () => onCreated(name, secret.current) },
  );
  return (
    <ChangeForm
      action="Create"
      change={change}
      isReady={name !== ""}
      onCancel={onCancel}
      effect={`Your browser generates a random secret and shows it once. Anyone who has it can get tokens for ${app.app} until you delete the debug token.`}
    >
      <TextField
        label="Name"
        help="For example, the device or pipeline that uses it."
        value={typed}
        maxLength={MAX_TOKEN_NAME}
        onChange={setTyped}
      />
    </ChangeForm>
  );
}

function Secret({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("button")?.focus(), []);
  return (
    <div ref={box} className={styles.created}>
      <p>
        <strong>Copy the secret now.</strong> The server stores only a hash, so nobody can see it again.
      </p>
      <p className={styles.secret}>
        <Copied name={`secret of ${name}`} text={secret} />
      </p>
      <div className={styles.buttons}>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
