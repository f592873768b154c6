FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
# Installs, and builds.
RUN npm ci
RUN npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
WORKDIR /waybill
COPY --from=build /build/package.json ./
COPY --from=build /build/bin ./bin
COPY --from=build /build/dist ./dist
COPY --from=build /build/docs-dist ./docs-dist
COPY --from=build /build/proto ./proto
COPY --from=build /build/node_modules ./node_modules
RUN mkdir /data && chown node: /data
USER node
# The services, and the admin listener, which is on the container's loopback unless adminHost is set.
EXPOSE 8080 8081 8082 9090
VOLUME /data
ENTRYPOINT ["/waybill/bin/waybill"]
CMD ["serve", "--config", "/etc/waybill/waybill.yaml", "--data-dir", "/data", "--host", "0.0.0.0"]
