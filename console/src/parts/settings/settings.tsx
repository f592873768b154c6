import type { ReactNode } from "react";
import type { SettingsPermission } from "#console/api/registry-api.js";
import { usePermissions } from "#console/api/registry-queries.js";
import { useServices } from "#console/api/services.js";
import { Skeleton } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import { useChoices } from "../selection.js";
import { AppsCard } from "./apps/apps-card.js";
import { AuditCard } from "./audit/audit-card.js";
import { PeopleCard } from "./people/people-card.js";
import styles from "./settings.module.css";

/** Apps, people and the audit log of a project, for its owners. */
export default function Settings(): ReactNode {
  const { api } = useServices();
  const { project } = useChoices();
  const permissions = usePermissions(project?.id);
  if (api.registry === undefined) {
    return (
      <Notice title="The registry address is not configured">
        <p>
          Ask your server operator to set <code>registryUrl</code> in the config file.
        </p>
      </Notice>
    );
  }
  if (permissions === null) {
    return (
      <Notice title="The registry service cannot be reached" tone="failure">
        <p>It may be starting, or the network may be down. The console keeps retrying.</p>
      </Notice>
    );
  }
  if (project === undefined || permissions === undefined) return <Skeleton height={480} />;
  const may = (permission: SettingsPermission): boolean => permissions.has(permission);
  const isOwner = may("resourcemanager.projects.getIamPolicy");
  if (!isOwner) {
    return (
      <Notice title="Only owners see project settings">
        <p>Ask an owner of the project {project.id} for the owner role.</p>
      </Notice>
    );
  }
  return (
    <div className={styles.settings} key={project.id}>
      <AppsCard project={project.id} mayChange={may("firebase.clients.create")} />
      <PeopleCard project={project.id} mayChange={may("resourcemanager.projects.setIamPolicy")} />
      <AuditCard project={project.id} />
    </div>
  );
}
