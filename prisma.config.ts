import { defineConfig } from 'prisma/config'

/** Only the Prisma CLI reads this file. The product connects through lib/base/db. */
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/latchkey' },
})
