import type { ReactNode } from "react";
import { useServices } from "#console/api/services.js";
import { Skeleton } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import { useView } from "#console/ui/view/use-view.js";
import { useChoices } from "../selection.js";
import { AttestedAppPage } from "./attested-app-page.js";
import { AttestedApps } from "./attested-apps.js";

/** The registered apps of a project or, once one is chosen, its tokens, keys and failures. */
export default function Integrity(): ReactNode {
  const { api } = useServices();
  const { project } = useChoices();
  const { attestedApp } = useView();
  if (api.integrity === undefined) {
    return (
      <Notice title="The app-integrity address is not configured">
        <p>
          Ask your server operator to set <code>integrityUrl</code> in the config file.
        </p>
      </Notice>
    );
  }
  if (project === undefined) return <Skeleton height={480} />;
  if (attestedApp === undefined) return <AttestedApps project={project.id} />;
  return <AttestedAppPage key={attestedApp} project={project.id} app={attestedApp} />;
}
