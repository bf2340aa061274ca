# docker build -t lading . && docker run -p 8080:8080 -v lading:/data -e PUBLIC_URL=http://localhost:8080 lading
# How to run it, and which settings matter: docs/operating.md.
ARG NODE=26-slim

# Everything, to build the console; then what a running server needs, and nothing else. The workspace of the server alone leaves out the npm package
# that pins Node: this image is Node.
FROM node:${NODE} AS build
WORKDIR /lading
COPY . .
RUN npm ci && npm run build && npm ci --omit=dev --workspace server

FROM node:${NODE}
# Collects the processes that an ended PostgreSQL leaves to process 1, and passes signals on.
RUN apt-get update && apt-get install --yes --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
WORKDIR /lading
COPY --from=build /lading/package.json /lading/LICENSE ./
COPY --from=build /lading/node_modules node_modules
COPY --from=build /lading/server server
COPY --from=build /lading/console/public console/public
COPY --from=build /lading/console/dist console/dist
# The guides that the server shows at /docs.
COPY --from=build /lading/docs docs
# The client that it gives away at /docs/lading-sdk.tgz.
COPY --from=build /lading/sdk/dist-packed sdk/dist-packed
RUN rm -rf server/test && mkdir /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/lading-compiled
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=2m --start-interval=2s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "server/bin/lading.js"]
CMD ["start"]
