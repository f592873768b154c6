import type { ReactNode } from "react";
import { useRegistry, useRegistryApi } from "#console/api/registry-queries.js";
import { memberText } from "#console/model/registry/member.js";
import { keyOf, type ListedGrant, ROLE_EFFECTS, ROLES, type Role } from "#console/model/registry/policy.js";
import { Button } from "#console/ui/elements/basics.js";
import { Card, CardActions, CardBody, CardHead } from "#console/ui/elements/card.js";
import { Item, ItemList } from "#console/ui/lists/item-list.js";
import { Loaded } from "#console/ui/states/loaded.js";
import { OfFile } from "../../change/of-file.js";
import { useDialog } from "../../change/use-dialog.js";
import styles from "./people-card.module.css";
import { PeopleDialog, type PeopleDialogKind } from "./people-dialogs.js";

const TITLES: Readonly<Record<Role, string>> = { owner: "Owners", editor: "Editors", viewer: "Viewers" };

/** Project members, by role. */
export function PeopleCard({ project, mayChange }: { project: string; mayChange: boolean }): ReactNode {
  const registry = useRegistryApi();
  const policy = useRegistry(["policy", project], (signal) => registry.policy(project, signal));
  const dialog = useDialog<PeopleDialogKind>();
  return (
    <Card labelledBy="settings-people">
      <CardHead id="settings-people" title="People">
        <p className="soft">
          Who has access to project {project}. Not listed: people to whom the config file grants a role on all
          projects.
        </p>
      </CardHead>
      {mayChange && (
        <CardActions>
          <Button onClick={() => dialog.open({ kind: "grant" })}>Grant access</Button>
          {dialog.announcement}
        </CardActions>
      )}
      <Loaded shown={{ value: policy.data, isStale: false }} queries={[policy]} height={240}>
        {({ grants }) => (
          <CardBody>
            {ROLES.map((role) => (
              <section key={role} className={styles.role} aria-labelledby={`settings-${role}`}>
                <header>
                  <h3 id={`settings-${role}`}>{TITLES[role]}</h3>
                  <p className="small soft">Each {ROLE_EFFECTS[role]}.</p>
                </header>
                <Members
                  title={TITLES[role]}
                  grants={grants.filter((grant) => grant.role === role)}
                  open={mayChange ? dialog.open : undefined}
                />
              </section>
            ))}
          </CardBody>
        )}
      </Loaded>
      {dialog.shown !== undefined && (
        <PeopleDialog project={project} dialog={dialog.shown} {...dialog.ends} />
      )}
    </Card>
  );
}

function Members({
  title,
  grants,
  open,
}: {
  title: string;
  grants: readonly ListedGrant[];
  /** Undefined if the viewer may not change access. */
  open: ((dialog: PeopleDialogKind) => void) | undefined;
}): ReactNode {
  if (grants.length === 0) return <p className="soft">None.</p>;
  return (
    <ItemList label={title}>
      {grants.map((grant) => {
        const { name, detail } = memberText(grant.member);
        return (
          <Item
            key={keyOf(grant)}
            title={name}
            details={
              <>
                <span>{detail}</span>
                {grant.isOfFile && <OfFile what="role" />}
              </>
            }
            actions={
              open !== undefined &&
              !grant.isOfFile && (
                <>
                  <Button
                    look="small"
                    aria-label={`Change role of ${name}`}
                    onClick={() => open({ kind: "change", grant })}
                  >
                    Change role
                  </Button>
                  <Button
                    look="small"
                    aria-label={`Revoke the ${grant.role} role of ${name}`}
                    onClick={() => open({ kind: "revoke", grant })}
                  >
                    Revoke
                  </Button>
                </>
              )
            }
          />
        );
      })}
    </ItemList>
  );
}
