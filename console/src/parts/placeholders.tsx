import type { ReactNode } from "react";
import { useReadAgain } from "#console/api/read-state.js";
import { nextListingOf, useServices } from "#console/api/services.js";
import type { DayRange } from "#console/model/days/day-range.js";
import { formatInstant, formatRange } from "#console/model/days/format-day.js";
import { Button } from "#console/ui/elements/basics.js";
import { Notice } from "#console/ui/states/notice.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import { type Day, dayOfJson } from "#src/model/day.js";
import styles from "./placeholders.module.css";
import { useChoices } from "./selection.js";

/** Shown for an app, or a project, without any entries. */
export function NoEntriesYet({ app, listed }: { app: string | undefined; listed: Day }): ReactNode {
  const { config } = useServices();
  return (
    <Notice title={app === undefined ? "No entries yet" : `No entries yet for ${app}`}>
      <p>
        A day is listed after it ends, the next one at{" "}
        {formatInstant(nextListingOf(listed, config.settleDelayMs))}, your time.
      </p>
      <p>
        An app appears once a day with imported message events is listed. Only messages to devices that share
        usage data count.
      </p>
    </Notice>
  );
}

/** Shown in place of figures if the chosen range or labels have no entries. */
export function NoEntries({
  range,
  labels,
}: {
  range: DayRange;
  labels: readonly string[] | undefined;
}): ReactNode {
  const { project, app } = useChoices();
  const known = app?.firstDate &&
    app.lastDate && { first: dayOfJson(app.firstDate), last: dayOfJson(app.lastDate) };
  return (
    <Notice title="No entries in this view" height={240}>
      <p>
        {project?.mirrored ? "The mirror has no figures" : "No message was accepted"}{" "}
        {labels !== undefined && "with the chosen labels "}on {formatRange(range)}.
      </p>
      <ul className={styles.choices}>
        {labels !== undefined && (
          <li>
            <ViewLink change={{ labels: undefined }}>Show all labels</ViewLink>
          </li>
        )}
        {known !== undefined && (
          <li>
            <ViewLink change={{ range: { kind: "own", range: known } }}>
              Show the days that have entries, {formatRange(known)}
            </ViewLink>
          </li>
        )}
      </ul>
    </Notice>
  );
}

/** Stands in for incidents that have not been read. Figures do not wait for them. */
export function MissingIncidents({ failed }: { failed: boolean }): ReactNode {
  const readAgain = useReadAgain();
  if (!failed) return <p className="soft">Looking for incidents …</p>;
  return (
    <p>
      Incidents could not be read. The figures are complete without them.{" "}
      <Button look="small" onClick={readAgain}>
        Try again
      </Button>
    </p>
  );
}
