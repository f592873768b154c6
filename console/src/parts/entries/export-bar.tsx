import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { messagingDataUrl } from "#console/api/console-config.js";
import { curlLine } from "#console/api/requests.js";
import { useServices } from "#console/api/services.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import { Button } from "#console/ui/elements/basics.js";
import { download, fileNameOf } from "#console/ui/files/files.js";
import { useSelection } from "../selection.js";
import { CSV, collectEntries, type EntriesFormat, JSON_FILE } from "./entries-file.js";
import styles from "./export-bar.module.css";

type State =
  | { readonly kind: "idle" }
  | { readonly kind: "fetching"; readonly format: EntriesFormat; readonly entries: number }
  | { readonly kind: "done"; readonly text: string };

/** A toolbar that exports all entries of the selection as a file, or as a curl command. */
export function ExportBar(): ReactNode {
  const { api } = useServices();
  const selection = useSelection();
  const [state, setState] = useState<State>({ kind: "idle" });
  const [showsLine, setShowsLine] = useState(false);
  const running = useRef<AbortController>(undefined);
  const titleId = useId();
  const line = curlLine(messagingDataUrl(), selection);
  useEffect(() => () => running.current?.abort(), []);

  async function save(format: EntriesFormat): Promise<void> {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const report = (entries: number): void => setState({ kind: "fetching", format, entries });
    report(0);
    try {
      const file = await collectEntries(api, selection, format, report, controller.signal);
      download(file, `${fileNameOf("entries", selection)}.${format.extension}`);
      setState({ kind: "done", text: `${format.title} saved.` });
    } catch (error) {
      if (running.current !== controller) return;
      setState({ kind: "done", text: controller.signal.aborted ? "Canceled." : failureText(error) });
    }
  }

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(line);
      setShowsLine(false);
      setState({ kind: "done", text: "Copied. Set $TOKEN to your access token before you run the command." });
    } catch {
      // The clipboard needs a secure origin and the viewer's permission.
      setShowsLine(true);
      setState({ kind: "done", text: "The browser blocked copying. Copy the command manually:" });
    }
  }

  return (
    <section className={styles.bar} aria-labelledby={titleId}>
      <span id={titleId} className="label">
        Export
      </span>
      {[CSV, JSON_FILE].map((format) => (
        <button
          key={format.extension}
          type="button"
          disabled={state.kind === "fetching"}
          onClick={() => void save(format)}
        >
          <span className="visually-hidden">Download </span>
          {format.title}
        </button>
      ))}
      <button type="button" disabled={state.kind === "fetching"} onClick={() => void copy()}>
        Copy as curl
      </button>
      {state.kind === "fetching" && (
        <Button look="plain" onClick={() => running.current?.abort()}>
          Cancel
        </Button>
      )}
      <span role="status" className="small soft">
        {state.kind === "fetching" && `${formatCount(state.entries)} entries fetched …`}
        {state.kind === "done" && state.text}
      </span>
      {showsLine && (
        <textarea
          className="mono"
          aria-label="curl command"
          readOnly
          rows={4}
          value={line}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
    </section>
  );
}

const failureText = (error: unknown): string =>
  `Export failed: ${error instanceof Error ? error.message : String(error)}`;
