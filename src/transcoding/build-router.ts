import { createRegistry } from "@bufbuild/protobuf";
import type { ServiceImplementation } from "../api/service.js";
import { Endpoint, type EndpointOptions } from "./endpoint.js";
import { httpBindings } from "./http-rule.js";
import { Router } from "./router.js";

/**
 * Builds the router of services by the `google.api.http` annotations of their methods.
 *
 * @throws Error if an annotation is invalid, a handler is missing, or two methods answer the same requests.
 */
export function buildRouter<A>(
  services: readonly ServiceImplementation<A>[],
  options: Omit<EndpointOptions, "registry">,
): Router<Endpoint<A>> {
  const registry = createRegistry(...services.map(({ service }) => service.file));
  const router = new Router<Endpoint<A>>();
  for (const { service, handlers } of services) {
    for (const method of service.methods) {
      const handler = handlers[method.localName];
      for (const binding of httpBindings(method)) {
        if (handler === undefined) throw new Error(`${method} has no handler`);
        const endpoint = new Endpoint(method, binding, handler, { ...options, registry });
        router.add(binding.httpMethod, binding.template, endpoint);
      }
    }
  }
  return router;
}
