# Builds an image from a clone. BASE is Debian with Node.js. The image contains parts of it.
ARG BASE=node:24-bookworm-slim
FROM ${BASE} AS clone
WORKDIR /build
COPY . .
# Installs, and builds.
RUN npm ci

FROM ${BASE} AS files
RUN --mount=type=bind,from=clone,source=/build,target=/build node /build/scripts/image.mjs /image

# The image has no package manager. It runs with a read-only root file system.
FROM scratch
COPY --from=files /image /
ENV PATH=/usr/local/bin:/usr/bin:/bin NODE_ENV=production
USER 1000:1000
# The services, and the admin listener, which is on the container's loopback unless adminHost is set.
EXPOSE 8080 8081 8082 9090
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9090/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/waybill/bin/waybill"]
CMD ["serve", "--config", "/etc/waybill/waybill.yaml", "--data-dir", "/data", "--host", "0.0.0.0"]
