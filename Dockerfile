# The product in one image. It needs a PostgreSQL, and at least:
#   docker run -p 3000:3000 -e DATABASE_URL=... -e SECRET_KEY=... -e BASE_URL=https://login.example.com latchkey
# See docs/deploy/container.md.
ARG NODE_IMAGE=node:24-slim
# The commit: there is no .git in here to read it from.
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
# Every address of the container; without HOST only the container itself would be served.
# Threads for password hashes and signatures: as many as processors, and one to spare; Node's own number is four.
ENV NODE_ENV=production HOST=:: UV_THREADPOOL_SIZE=16
WORKDIR /app
# What changes least comes first: a new release is mostly the last layers.
COPY --from=build /src/dist/standalone/node_modules ./node_modules
COPY --from=build /src/dist/standalone/.next ./.next
COPY --from=build /src/dist/standalone/public ./public
COPY --from=build /src/dist/standalone/prisma ./prisma
COPY --from=build /src/dist/standalone/dist ./dist
COPY --from=build /src/dist/standalone/*.json /src/dist/standalone/*.mjs ./
COPY --from=build /src/dist/standalone/LICENSE /src/dist/standalone/*.txt ./
RUN ln -s /app/dist/latchkey.js /usr/local/bin/latchkey
# By number, so that a cluster sees that it is not root. All files are root's: the server writes none.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
# Ready means that it can serve: the database answers and is migrated.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "dist/probe.js"]
# Brings the database up to date, one replica at a time, and serves. With MIGRATE=0 `latchkey migrate` does the former.
CMD ["node", "dist/server.js"]
