import type { ReactNode } from "react";
import styles from "./rules.module.css";

/** A page of the docs site, which is next to the console. */
const INCIDENTS = "../docs/concepts/incidents";

/** Short explanations of the overview. */
export const Rules = (): ReactNode => (
  <dl className={styles.rules}>
    <div>
      <dt>Incident</dt>
      <dd>
        The server compares each day with the days before, for the app and for each label. An incident is a
        period in which fewer messages than usual were delivered, more than usual had another outcome, or the
        number of messages itself was unusual. Detection needs 14 days with messages.{" "}
        <a href={INCIDENTS}>Learn more about incidents</a>.
      </dd>
    </div>
    <div>
      <dt>Usual band</dt>
      <dd>
        Contains 19 of 20 usual days. On days with an incident, it comes from the server. On other days, it is
        computed from days without incidents, in this range and at least four weeks before it: their median ±
        1.96 × 1.4826 × the median absolute deviation.
      </dd>
    </div>
    <div>
      <dt>Key figures</dt>
      <dd>
        Percentages come from summed counts. Counts are compared only if both ranges have data for the same
        number of days. A change of a share is marked better or worse if it is statistically significant, by
        the same test as in Compare.
      </dd>
    </div>
  </dl>
);
