import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { AttestedApp } from "../api/waybill-api.js";
import { useServices } from "../app/services.js";
import { useChoices } from "../choose/use-choices.js";
import { Loaded } from "../states/loaded.js";
import { Notice } from "../states/notice.js";
import { useView } from "../view/use-view.js";
import { formatTtl } from "./format-ttl.js";

/** The apps of a project that are registered with the app-integrity service, and their attestation. */
export default function AttestedApps(): ReactNode {
  const { api } = useServices();
  const { project } = useChoices(useView());
  const id = project?.projectId ?? "";
  const apps = useQuery({
    queryKey: ["attestedApps", id],
    queryFn: ({ signal }) => api.attestedApps(id, signal),
    enabled: api.knowsIntegrity,
  });
  if (!api.knowsIntegrity) {
    return (
      <Notice title="The app-integrity service is not known here">
        <p>
          It does not run in this server. Whoever runs it can say where it is by <code>integrityUrl</code> in
          the configuration.
        </p>
      </Notice>
    );
  }
  return (
    <section className="card">
      <h2>Apps and their attestation</h2>
      <p className="soft">
        How long a token lives that an app gets for a valid attestation, in the project {id}: one hour unless
        somebody set another time.
      </p>
      <Loaded query={apps} height={240}>
        {(apps) => (apps.length === 0 ? <NoApps /> : <AppTable apps={apps} />)}
      </Loaded>
    </section>
  );
}

function AppTable({ apps }: { apps: readonly AttestedApp[] }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
    <section className="table-scroll" aria-label="Apps and their attestation" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">App</th>
            <th scope="col" className="number">
              Token lives for
            </th>
            <th scope="col">Resource name</th>
          </tr>
        </thead>
        <tbody>
          {apps.map(({ appId, config }) => (
            <tr key={appId}>
              <th scope="row" className="mono">
                {appId}
              </th>
              <td className="number">{formatTtl(config.tokenTtl ?? "0s")}</td>
              <td className="mono soft">{config.name}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const NoApps = (): ReactNode => (
  <Notice title="No app is registered in this project">
    <p>
      Apps of the app-integrity service are named in the configuration of the server, under{" "}
      <code>projects</code>.
    </p>
  </Notice>
);
