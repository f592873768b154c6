import type { ReactNode } from "react";
import type { AttestedAppRef } from "#console/api/integrity-api.js";
import { useFailures } from "#console/api/integrity-queries.js";
import { formatInstant } from "#console/model/days/format-day.js";
import { type Failure, stepText } from "#console/model/integrity/failure.js";
import { providerTitle } from "#console/model/integrity/token-counts.js";
import { Card, CardHead } from "#console/ui/elements/card.js";
import { Item, ItemList, NextPage } from "#console/ui/lists/item-list.js";
import { Loaded } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import styles from "./failures-card.module.css";

const TITLE = "Latest failures";

/** Why devices did not get tokens for an app. */
export function FailuresCard({ app }: { app: AttestedAppRef }): ReactNode {
  const failures = useFailures(app);
  const shown = failures.data?.pages.flatMap(({ items }) => items);
  return (
    <Card labelledBy="integrity-failures">
      <CardHead id="integrity-failures" title={TITLE}>
        <p className="soft">
          Why devices did not get a token in the last seven days. The devices themselves only learn that the
          attestation failed.
        </p>
      </CardHead>
      <Loaded shown={{ value: shown, isStale: false }} queries={[failures]} height={200}>
        {(failures) =>
          failures.length === 0 ? (
            <Notice title="No failures in the last seven days">
              <p>A rejected exchange appears here immediately, with the step that failed.</p>
            </Notice>
          ) : (
            <ItemList label={TITLE}>
              {failures.map((failure) => (
                <FailureItem key={failure.name} failure={failure} />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      <NextPage of={failures}>Show older failures</NextPage>
    </Card>
  );
}

function FailureItem({
  failure: { time, provider, step, expected, found },
}: {
  failure: Failure;
}): ReactNode {
  const { title, meaning, docs } = stepText(step);
  return (
    <Item
      title={title}
      details={
        <>
          <time dateTime={new Date(time).toISOString()}>{formatInstant(time)}</time>
          <span>{providerTitle(provider)}</span>
          <span>
            step <code>{step}</code>
          </span>
        </>
      }
    >
      <p className="small">
        {meaning} <a href={docs}>Learn more about this step</a>.
      </p>
      <dl className={styles.values}>
        <div>
          <dt>Expected</dt>
          <dd>{expected}</dd>
        </div>
        <div>
          <dt>Found</dt>
          <dd>{found}</dd>
        </div>
      </dl>
    </Item>
  );
}
