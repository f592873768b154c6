import type { ReactNode } from "react";
import { useReadAgain } from "#console/api/read-state.js";
import { useAppNames } from "#console/api/registry-queries.js";
import { nextListingOf, useServices } from "#console/api/services.js";
import type { DayRange } from "#console/model/days/day-range.js";
import { formatInstant, formatRange } from "#console/model/days/format-day.js";
import { Button } from "#console/ui/elements/basics.js";
import { Notice } from "#console/ui/states/notice.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import type { Day } from "#src/model/day.js";
import styles from "./placeholders.module.css";
import { useChoices } from "./selection.js";

/** Shown for an app or project without entries. */
export function NoEntriesYet({
  project,
  app,
  listed,
}: {
  project: string;
  app: string | undefined;
  listed: Day;
}): ReactNode {
  const { config } = useServices();
  const names = useAppNames(project);
  const { project: chosen } = useChoices();
  // Apps of a mirror need no registration.
  const isUnknown = app !== undefined && names !== undefined && !names?.has(app) && !chosen?.isMirrored;
  if (isUnknown) {
    return (
      <Notice title={`The project has no app ${app}`}>
        <p>Check the app ID in the link, or choose another app above.</p>
        <p>
          <ViewLink change={{ tab: "project", app: undefined, labels: undefined }}>Show all apps</ViewLink>
        </p>
      </Notice>
    );
  }
  return (
    <Notice title={app === undefined ? "No entries yet" : `No entries yet for ${app}`}>
      <p>
        Each day is listed after it ends. The next one will be listed on{" "}
        {formatInstant(nextListingOf(listed, config.settleDelayMs))}, your time.
      </p>
      <p>
        An app appears when its first day with message events is listed. Only messages to devices that share
        usage data are counted.
      </p>
    </Notice>
  );
}

/** Shown if the chosen range or labels have no entries. */
export function NoEntries({
  range,
  labels,
}: {
  range: DayRange;
  labels: readonly string[] | undefined;
}): ReactNode {
  const { project, app } = useChoices();
  return (
    <Notice title="No entries in this view" height={240}>
      <p>
        {project?.isMirrored ? "The mirror has no figures" : "No messages were accepted"}{" "}
        {labels !== undefined && "with the chosen labels "}on {formatRange(range)}.
      </p>
      <ul className={styles.choices}>
        {labels !== undefined && (
          <li>
            <ViewLink change={{ labels: undefined }}>Show all labels</ViewLink>
          </li>
        )}
        {app?.days !== undefined && (
          <li>
            <ViewLink change={{ range: { kind: "own", range: app.days } }}>
              Show all days with entries, {formatRange(app.days)}
            </ViewLink>
          </li>
        )}
      </ul>
    </Notice>
  );
}

/** Shown while incidents are loading, or if they could not be read. Figures do not wait for incidents. */
export function MissingIncidents({ failed }: { failed: boolean }): ReactNode {
  const readAgain = useReadAgain();
  if (!failed) return <p className="soft">Loading incidents …</p>;
  return (
    <p>
      Could not load incidents. The figures are complete.{" "}
      <Button look="small" onClick={readAgain}>
        Try again
      </Button>
    </p>
  );
}
