import { AUDITED_ANNOTATIONS } from "../annotations/annotations.js";
import { type Caller, inEveryProject, inOneOrEveryProject, inProject, ofPrincipal } from "../api/caller.js";
import type { ServiceImplementation } from "../api/service.js";
import { RegistryService } from "../gen/waybill/registry/v1/registry_pb.js";
import { AUDITED_TRIAGE } from "../incidents/triage/incident-triage.js";
import { AUDITED_REVOCATIONS } from "../integrity/app-attest/attested-keys.js";
import { AUDITED_CONFIGS } from "../integrity/app-attest-configs.js";
import { AUDITED_DEBUG_TOKENS } from "../integrity/debug-tokens/debug-tokens.js";
import type { JobRunner } from "../jobs/job-runner.js";
import { AUDITED_REGISTRY, auditHandler } from "../registry/audit/audit-log.js";
import { appHandlers } from "../registry/handlers/app-handlers.js";
import { policyHandlers } from "../registry/handlers/policy-handlers.js";
import { projectHandlers } from "../registry/handlers/project-handlers.js";
import { UpkeepJob } from "../registry/purge/upkeep-job.js";
import { RegistryChanges } from "../registry/registry-changes.js";
import { AUDITED_TARGETS } from "../targets/targets.js";
import { AUDITED_VIEWS } from "../views/views.js";
import { retentionTime } from "./messaging-data/jobs.js";
import type { RunningService, ServerParts } from "./server-parts.js";

/** Kinds of records with changes in the audit log. */
const AUDITED = [
  AUDITED_REGISTRY,
  AUDITED_CONFIGS,
  AUDITED_DEBUG_TOKENS,
  AUDITED_REVOCATIONS,
  AUDITED_ANNOTATIONS,
  AUDITED_TARGETS,
  AUDITED_VIEWS,
  AUDITED_TRIAGE,
];

/** The registry service, with the job that maintains its data. */
export interface RegistryServer extends RunningService {
  /** Runs the maintenance job. A notice starts it immediately. */
  readonly upkeep: JobRunner;
}

/** Opens the registry service, and starts its maintenance job. */
export async function openRegistry(server: ServerParts): Promise<RegistryServer> {
  const { config, registry, pageTokens: tokens, control, dayClock } = server;
  const { purgeAfter } = config.registry;
  const upkeep = upkeepOf(server).runner;
  upkeep.start();
  const parts = { registry, tokens, changes: new RegistryChanges({ registry, clock: dayClock, purgeAfter }) };
  const projects = projectHandlers(parts);
  const policies = policyHandlers(parts);
  const implementation: ServiceImplementation<Caller, typeof RegistryService> = {
    service: RegistryService,
    handlers: {
      listProjects: inEveryProject(projects.listProjects),
      getProject: inProject(projects.getProject),
      createProject: ofPrincipal(projects.createProject),
      addFirebase: ofPrincipal(projects.addFirebase),
      updateProject: inProject(projects.updateProject),
      deleteProject: ofPrincipal(projects.deleteProject),
      undeleteProject: ofPrincipal(projects.undeleteProject),
      getOperation: ofPrincipal(projects.getOperation),
      ...appHandlers(parts),
      getIamPolicy: inProject(policies.getIamPolicy),
      setIamPolicy: inProject(policies.setIamPolicy),
      testIamPermissions: ofPrincipal(policies.testIamPermissions),
      listAuditEntries: inOneOrEveryProject(auditHandler(parts, AUDITED)),
    },
  };
  return {
    implementation,
    plainRoutes: [],
    adminRoutes: [],
    upkeep,
    ready: () => control.check(),
    // The server closes the control data.
    close: () => upkeep.stop(0),
  };
}

function upkeepOf(server: ServerParts): UpkeepJob {
  const { config, registry, control, logger, metrics, failures } = server;
  return new UpkeepJob({
    registry,
    leases: control.leases,
    time: retentionTime(server),
    auditRetention: config.registry.audit.retention,
    observer: {
      erased: (counts) => logger.info(counts, "erased removed apps and old audit entries"),
      failed: (error) => {
        metrics.storeErrors.inc({ caller: "registry" });
        failures.failed({}, error, "erasing removed apps and old audit entries failed; will try again");
      },
    },
  });
}
