import { type ReactNode, useState } from "react";
import type { AttestedAppRef } from "#console/api/integrity-api.js";
import { useIntegrityApi, useKeys } from "#console/api/integrity-queries.js";
import { formatInstant } from "#console/model/days/format-day.js";
import { type AttestedKey, keyIdOf } from "#console/model/integrity/attested-key.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import { ChoiceRow, SearchField } from "#console/ui/choose/controls.js";
import { Button } from "#console/ui/elements/basics.js";
import { Card, CardHead } from "#console/ui/elements/card.js";
import { Item, ItemList, NextPage } from "#console/ui/lists/item-list.js";
import { Loaded } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import { ConfirmDialog } from "../../change/confirm-dialog.js";
import { type DialogEnds, useDialog } from "../../change/use-dialog.js";

const TITLE = "Attested keys";

export function KeysCard({ app, mayChange }: { app: AttestedAppRef; mayChange: boolean }): ReactNode {
  const [search, setSearch] = useState("");
  const id = keyIdOf(search);
  const keys = useKeys(app, id);
  const dialog = useDialog<AttestedKey>();
  const shown = keys.data?.pages.flatMap(({ items }) => items);
  return (
    <Card labelledBy="integrity-keys">
      <CardHead id="integrity-keys" title={TITLE}>
        <p className="soft">
          Each device that attested has a key, and signs an assertion with it for every further token. The
          list is sorted by key ID.
        </p>
      </CardHead>
      <ChoiceRow>
        <SearchField label="Find by key ID (full ID)" value={search} onChange={setSearch} />
        {dialog.announcement}
      </ChoiceRow>
      <Loaded shown={{ value: shown, isStale: keys.isPlaceholderData }} queries={[keys]} height={200}>
        {(keys) =>
          keys.length === 0 ? (
            <NoKeys isSearch={id !== ""} />
          ) : (
            <ItemList label={TITLE}>
              {keys.map((key) => (
                <KeyItem
                  key={key.id}
                  attested={key}
                  onRevoke={mayChange ? () => dialog.open(key) : undefined}
                />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      <NextPage of={keys}>Show more keys</NextPage>
      {dialog.shown !== undefined && <RevokeKeyDialog attested={dialog.shown} {...dialog.ends} />}
    </Card>
  );
}

const NoKeys = ({ isSearch }: { isSearch: boolean }): ReactNode =>
  isSearch ? (
    <Notice title="No attested key has this ID">
      <p>Enter the full key ID, in base64. The key may have been revoked.</p>
    </Notice>
  ) : (
    <Notice title="No attested keys">
      <p>
        A key appears here when a device has attested it. Learn how to{" "}
        <a href="../docs/guides/attest-ios-apps">attest your iOS app</a>.
      </p>
    </Notice>
  );

const KeyItem = ({
  attested: { id, isDevelopment, counter, createTime },
  onRevoke,
}: {
  attested: AttestedKey;
  /** Undefined if the viewer may not revoke keys. */
  onRevoke: (() => void) | undefined;
}): ReactNode => (
  <Item
    title={<code>{id}</code>}
    details={
      <>
        <span>{isDevelopment ? "Development" : "Production"}</span>
        <span>
          Attested <time dateTime={new Date(createTime).toISOString()}>{formatInstant(createTime)}</time>
        </span>
        <span>{counter === 0 ? "No assertions yet" : `Last counter ${formatCount(counter)}`}</span>
      </>
    }
    actions={
      onRevoke !== undefined && (
        <Button look="small" aria-label={`Revoke ${id}`} onClick={onRevoke}>
          Revoke
        </Button>
      )
    }
  />
);

function RevokeKeyDialog({ attested, ...ends }: { attested: AttestedKey } & DialogEnds): ReactNode {
  const api = useIntegrityApi();
  return (
    <ConfirmDialog
      {...ends}
      title="Revoke the key"
      action="Revoke"
      effect={`All assertions of the key ${attested.id} fail from now on. Tokens that the device already has remain valid until they expire. The device can attest a new key.`}
      make={() => api.revokeKey(attested)}
      done="Revoked the key."
    />
  );
}
