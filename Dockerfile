# The whole product in one image. It requires a PostgreSQL database and at least these variables:
#   docker run -p 3000:3000 -e DATABASE_URL=... -e SECRET_KEY=... -e BASE_URL=https://login.example.com latchkey
# See docs/deploy/container.md.
ARG NODE_IMAGE=node:24-slim
# The commit of the build, which cannot be read from .git, because .dockerignore excludes it.
ARG REVISION=unknown

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
ARG REVISION
RUN LATCHKEY_COMMIT=$REVISION npm run build

FROM ${NODE_IMAGE}
ARG VERSION=3.0.0
ARG REVISION
LABEL org.opencontainers.image.title="Latchkey" \
      org.opencontainers.image.description="OAuth 2.0 / OpenID Connect, consent, API tokens and one GraphQL API" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.vendor="The Latchkey authors" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# HOST: listens on every address of the container. Otherwise, the server would accept connections only from the container.
# UV_THREADPOOL_SIZE: the number of threads for password hashes and signatures (ADR 0034). Node's default is four.
ENV NODE_ENV=production HOST=:: UV_THREADPOOL_SIZE=16
WORKDIR /app
# Files that change least come first, so that a new release replaces mostly the last layers.
COPY --from=build /src/dist/standalone/node_modules ./node_modules
COPY --from=build /src/dist/standalone/.next ./.next
COPY --from=build /src/dist/standalone/public ./public
COPY --from=build /src/dist/standalone/prisma ./prisma
COPY --from=build /src/dist/standalone/dist ./dist
COPY --from=build /src/dist/standalone/*.json /src/dist/standalone/*.mjs ./
COPY --from=build /src/dist/standalone/LICENSE /src/dist/standalone/*.txt ./
RUN ln -s /app/dist/latchkey.js /usr/local/bin/latchkey
# A numeric user ID lets a cluster verify that the user is not root. Root owns all files, because the server writes none.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
# The container is healthy if the server is ready: the database responds and is migrated.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "dist/probe.js"]
# Migrates the database, one replica at a time, then serves. With MIGRATE=0, run `latchkey migrate` first.
CMD ["node", "dist/server.js"]
