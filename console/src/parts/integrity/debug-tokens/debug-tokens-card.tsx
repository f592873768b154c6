import type { ReactNode } from "react";
import type { AttestedAppRef } from "#console/api/integrity-api.js";
import { useIntegrity, useIntegrityApi } from "#console/api/integrity-queries.js";
import { formatInstant } from "#console/model/days/format-day.js";
import { byDisplayName, type DebugToken, MAX_DEBUG_TOKENS } from "#console/model/integrity/debug-token.js";
import { Button } from "#console/ui/elements/basics.js";
import { Card, CardActions, CardHead } from "#console/ui/elements/card.js";
import { Item, ItemList } from "#console/ui/lists/item-list.js";
import { Loaded } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import { ConfirmDialog } from "../../change/confirm-dialog.js";
import { type DialogEnds, useDialog } from "../../change/use-dialog.js";
import { CreateTokenDialog } from "./create-token-dialog.js";

type DialogKind = { readonly kind: "create" } | { readonly kind: "delete"; readonly token: DebugToken };

/** The debug tokens of an app, for editors. */
export function DebugTokensCard({ app }: { app: AttestedAppRef }): ReactNode {
  const api = useIntegrityApi();
  const tokens = useIntegrity(["debugTokens", app], (signal) => api.debugTokens(app, signal));
  const dialog = useDialog<DialogKind>();
  const isFull = (tokens.data?.length ?? 0) >= MAX_DEBUG_TOKENS;
  return (
    <Card labelledBy="integrity-debug-tokens">
      <CardHead id="integrity-debug-tokens" title="Debug tokens">
        <p className="soft">
          Secrets for builds that cannot attest themselves, such as simulators and CI. Anyone who has one can
          get app tokens. An app can have {MAX_DEBUG_TOKENS}.{" "}
          <a href="../docs/guides/debug-tokens">Learn more about debug tokens</a>.
        </p>
      </CardHead>
      <CardActions>
        <Button disabled={isFull} onClick={() => dialog.open({ kind: "create" })}>
          Create a debug token
        </Button>
        {dialog.announcement}
      </CardActions>
      <Loaded shown={{ value: tokens.data, isStale: false }} queries={[tokens]} height={160}>
        {(tokens) =>
          tokens.length === 0 ? (
            <Notice title="No debug tokens">
              <p>Create one for each device or pipeline, so that you can delete one without the others.</p>
            </Notice>
          ) : (
            <ItemList label="Debug tokens">
              {tokens.toSorted(byDisplayName).map((token) => (
                <TokenItem
                  key={token.name}
                  token={token}
                  onDelete={() => dialog.open({ kind: "delete", token })}
                />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      {dialog.shown?.kind === "create" && <CreateTokenDialog app={app} {...dialog.ends} />}
      {dialog.shown?.kind === "delete" && <DeleteTokenDialog token={dialog.shown.token} {...dialog.ends} />}
    </Card>
  );
}

const TokenItem = ({
  token: { displayName, updateTime },
  onDelete,
}: {
  token: DebugToken;
  onDelete: () => void;
}): ReactNode => (
  <Item
    title={displayName}
    details={
      <span>
        Last changed <time dateTime={new Date(updateTime).toISOString()}>{formatInstant(updateTime)}</time>
      </span>
    }
    actions={
      <Button look="small" aria-label={`Delete ${displayName}`} onClick={onDelete}>
        Delete
      </Button>
    }
  />
);

function DeleteTokenDialog({ token, ...ends }: { token: DebugToken } & DialogEnds): ReactNode {
  const api = useIntegrityApi();
  const { displayName } = token;
  return (
    <ConfirmDialog
      {...ends}
      title={`Delete ${displayName}`}
      action="Delete"
      effect={`The secret of ${displayName} can no longer be exchanged for tokens. Tokens that were issued for it remain valid until they expire.`}
      make={() => api.deleteDebugToken(token)}
      done={`Deleted ${displayName}.`}
    />
  );
}
