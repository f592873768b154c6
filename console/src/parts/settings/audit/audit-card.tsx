import { type ReactNode, useState } from "react";
import { useAuditLog } from "#console/api/registry-queries.js";
import { formatInstant } from "#console/model/days/format-day.js";
import { type AuditEntry, type AuditFilter, type FieldLine, METHODS } from "#console/model/registry/audit.js";
import { ChoiceRow, SearchField } from "#console/ui/choose/controls.js";
import { Select } from "#console/ui/choose/select.js";
import { Card, CardHead } from "#console/ui/elements/card.js";
import { Item, ItemList, NextPage } from "#console/ui/lists/item-list.js";
import { Loaded } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import styles from "./audit-card.module.css";

const ALL = "";
const METHOD_OPTIONS = [
  { value: ALL, text: "All changes" },
  ...Object.entries(METHODS).map(([value, text]) => ({ value, text })),
];

export function AuditCard({ project }: { project: string }): ReactNode {
  const [filter, setFilter] = useState<AuditFilter>({ principal: "", method: ALL });
  const log = useAuditLog(project, filter);
  const entries = log.data?.pages.flatMap(({ items }) => items);
  return (
    <Card labelledBy="settings-audit">
      <CardHead id="settings-audit" title="Audit log">
        <p className="soft">
          Changes in project {project}, newest first: apps, access and configurations. Nobody can change this
          log.
        </p>
      </CardHead>
      <ChoiceRow>
        <SearchField
          label="Made by (exact name)"
          value={filter.principal}
          onChange={(principal) => setFilter({ ...filter, principal: principal.trim() })}
        />
        <Select
          label="Kind of change"
          options={METHOD_OPTIONS}
          chosen={filter.method}
          onChoose={(method) => setFilter({ ...filter, method })}
        />
      </ChoiceRow>
      <Loaded shown={{ value: entries, isStale: log.isPlaceholderData }} queries={[log]} height={320}>
        {(entries) =>
          entries.length === 0 ? (
            <NoEntries filter={filter} />
          ) : (
            <ItemList label="Audit log">
              {entries.map((entry) => (
                <Entry key={entry.name} entry={entry} />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      <NextPage of={log}>Show older changes</NextPage>
    </Card>
  );
}

function NoEntries({ filter: { principal, method } }: { filter: AuditFilter }): ReactNode {
  return principal === "" && method === ALL ? (
    <Notice title="No changes yet">
      <p>Changes appear here as soon as they are made. The config file is not part of the log.</p>
    </Notice>
  ) : (
    <Notice title="No changes match">
      <p>Enter the exact name, as in the access token, or choose all changes.</p>
    </Notice>
  );
}

function Entry({ entry }: { entry: AuditEntry }): ReactNode {
  const { time, title, resource, principal, issuer, address, lines } = entry;
  return (
    <Item
      title={title}
      details={
        <>
          <time dateTime={new Date(time).toISOString()}>{formatInstant(time)}</time>
          <span title={`Issuer: ${issuer}`}>{principal}</span>
          <span>from {address}</span>
          <code>{resource}</code>
        </>
      }
    >
      {lines.length > 0 && (
        <ul className={styles.lines}>
          {lines.map((line) => (
            <li key={`${line.field} ${line.before} ${line.after}`}>
              <Line line={line} />
            </li>
          ))}
        </ul>
      )}
    </Item>
  );
}

function Line({ line: { field, before, after } }: { line: FieldLine }): ReactNode {
  return (
    <>
      <span className="soft">{field}: </span>
      {before !== undefined && (
        <>
          {after === undefined && <span>removed </span>}
          <del>{before}</del>
        </>
      )}
      {before !== undefined && after !== undefined && <span> → </span>}
      {after !== undefined && (
        <>
          {before === undefined && <span>added </span>}
          <ins>{after}</ins>
        </>
      )}
    </>
  );
}
