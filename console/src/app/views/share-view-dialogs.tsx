import { type ReactNode, useState } from "react";
import { useServices } from "#console/api/services.js";
import { formatInstant } from "#console/model/days/format-day.js";
import { MAX_LINK_DAYS, type SavedView } from "#console/model/view/saved-view.js";
import { ConfirmDialog } from "#console/parts/change/confirm-dialog.js";
import type { DialogEnds } from "#console/parts/change/use-dialog.js";
import { ValueDialog } from "#console/parts/change/value-dialog.js";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { Button } from "#console/ui/elements/basics.js";
import { Copied } from "#console/ui/elements/copied.js";
import styles from "./views-dialog.module.css";

type OfView = DialogEnds & { readonly saved: SavedView };

/** Creates a link that shows a saved view without sign-in. */
export function ShareViewDialog({ saved, ...ends }: OfView): ReactNode {
  const { views } = useServices().api;
  const { title, expires } = saved;
  const [link, setLink] = useState("");
  if (link !== "") return <LinkDialog title={title} link={link} {...ends} />;
  return (
    <ValueDialog
      onClose={ends.onClose}
      onDone={() => {}}
      title={`Share ${title}`}
      action="Create a link"
      label="Days until the link expires"
      inputMode="decimal"
      effect={
        expires === undefined
          ? "Everyone who has the link can see the figures and incidents of this app, these labels and days, without signing in. The link also works in a frame of another page, such as a wiki."
          : `A new link ends the previous one, which is valid until ${formatInstant(expires)}.`
      }
      initial="30"
      read={(value) => {
        const days = Number(value);
        const isValid = /^\d+$/.test(value) && days >= 1 && days <= MAX_LINK_DAYS;
        return {
          make: isValid ? async () => setLink(await views.share(saved, days)) : undefined,
          done: "",
          help: `From 1 to ${MAX_LINK_DAYS}.`,
        };
      }}
    />
  );
}

/** Shows a new link once. */
const LinkDialog = ({ title, link, onDone }: DialogEnds & { title: string; link: string }): ReactNode => (
  <Dialog title={`Link to ${title}`} onClose={() => onDone(`Created a link to ${title}.`)}>
    <p>Copy the link now: it is not shown again.</p>
    <Copied name={`link to ${title}`} text={link} />
    <div className={styles.buttons}>
      <Button look="primary" onClick={() => onDone(`Created a link to ${title}.`)}>
        Done
      </Button>
    </div>
  </Dialog>
);

export function UnshareViewDialog({ saved, ...ends }: OfView): ReactNode {
  const { views } = useServices().api;
  const { title } = saved;
  return (
    <ConfirmDialog
      {...ends}
      title={`Stop sharing ${title}`}
      action="Stop sharing"
      effect="Its link no longer shows anything. The saved view stays."
      make={() => views.unshare(saved)}
      done={`Stopped sharing ${title}.`}
    />
  );
}
