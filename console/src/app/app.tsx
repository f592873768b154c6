import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import {
  type ConsoleConfig,
  containedConfig,
  fetchConsoleConfig,
  messagingDataUrl,
} from "#console/api/console-config.js";
import { makeQueryClient } from "#console/api/read-state.js";
import { ServicesContext } from "#console/api/services.js";
import { WaybillApi } from "#console/api/waybill-api.js";
import { Skeleton } from "#console/ui/states/loaded.js";
import { usePartsAhead } from "./part.js";
import { Shell } from "./shell.js";
import { type Arrival, useArrival } from "./sign-in/arrival.js";
import { type Session, SessionProvider, useSession } from "./sign-in/session.js";
import { BarePage, ExpiredDialog, SignedOut } from "./sign-in/sign-in.js";

/** Interval for refreshing the clock setting, if the clock is adjustable. */
const CLOCK_INTERVAL_MS = 2_000;

export function App({ arrival }: { arrival: Arrival }): ReactNode {
  const [queryClient] = useState(makeQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <Configured arrival={arrival} />
      </SessionProvider>
    </QueryClientProvider>
  );
}

function Configured({ arrival }: { arrival: Arrival }): ReactNode {
  const config = useQuery({
    queryKey: ["config"],
    queryFn: fetchConsoleConfig,
    initialData: containedConfig,
    staleTime: Infinity,
    refetchInterval: ({ state }) => state.data?.clock !== undefined && CLOCK_INTERVAL_MS,
  });
  return <Admitted arrival={arrival} config={config.data} />;
}

function Admitted({ arrival, config }: { arrival: Arrival; config: ConsoleConfig }): ReactNode {
  const { token, number, problem, reject } = useSession();
  const arrived = useArrival(arrival, config);
  // Downloads the other parts while the viewer signs in.
  usePartsAhead();
  if (arrived.kind === "under way") {
    return (
      <BarePage>
        <Skeleton height={240} />
      </BarePage>
    );
  }
  if (token === undefined) {
    return (
      <SignedOut
        config={config}
        problem={problem ?? (arrived.kind === "failed" ? arrived.problem : undefined)}
      />
    );
  }
  return (
    <>
      <SignedIn key={number} token={token} number={number} config={config} onRejected={reject} />
      {problem !== undefined && <ExpiredDialog config={config} problem={problem} />}
    </>
  );
}

/** The console for one sign-in. A new sign-in replaces it, including its cache. */
function SignedIn({
  token,
  number,
  config,
  onRejected,
}: {
  token: string;
  number: number;
  config: ConsoleConfig;
  onRejected: Session["reject"];
}): ReactNode {
  const [queryClient] = useState(makeQueryClient);
  const services = useMemo(() => {
    const urls = {
      messagingData: messagingDataUrl(),
      integrity: config.integrityUrl,
      registry: config.registryUrl,
    };
    return {
      config,
      api: new WaybillApi(urls, token, (problem, wasAdmitted) => onRejected(number, problem, wasAdmitted)),
    };
  }, [config, token, number, onRejected]);
  useEffect(() => () => queryClient.clear(), [queryClient]);
  return (
    <QueryClientProvider client={queryClient}>
      <ServicesContext value={services}>
        <Shell />
      </ServicesContext>
    </QueryClientProvider>
  );
}
