import type { ReactNode } from "react";
import styles from "./rules.module.css";

/** The page of the documentation, as a file of the console. */
const INCIDENTS = new URL("../../../../docs/concepts/incidents.md", import.meta.url).href;

/** The rules behind the overview, in short. */
export const Rules = (): ReactNode => (
  <dl className={styles.rules}>
    <div>
      <dt>Incident</dt>
      <dd>
        The server compares each day of the app, and of each label, with the days before. An incident is a run
        of days on which fewer messages than usual were delivered, or more than usual had another outcome. It
        takes 14 days with messages to know what is usual. <a href={INCIDENTS}>Read the whole rule</a>, and
        how well it works.
      </dd>
    </div>
    <div>
      <dt>Usual band</dt>
      <dd>
        19 of 20 usual days lie in it. On days of an incident, it is that of the server. On other days, it is
        made of the days without incident, of the range and of at least four weeks before it: their median,
        plus and minus 1.96 × 1.4826 times the median absolute deviation.
      </dd>
    </div>
    <div>
      <dt>Key figures</dt>
      <dd>
        The counts of all days are summed up, then divided. Counts are compared if as many days of both ranges
        have data. A share is called better or worse from one percentage point on.
      </dd>
    </div>
  </dl>
);
