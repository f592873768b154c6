import { describeProjectRegistry } from "../testing/registry-conformance.js";
import { StaticRegistry } from "./static-registry.js";

describeProjectRegistry("StaticRegistry", async (projects) => new StaticRegistry(projects));
