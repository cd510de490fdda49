import { LRUCache } from 'lru-cache'
import { remember } from '@/lib/base/process/remember'

/** How often Prisma sends a text before it gets a name. Texts with a list differ by its length, and most of them are rare. */
const hotAfter = 3
/** How many texts get a name. PostgreSQL keeps the plan of each on every connection. */
const mostNamed = 200
/** Longer texts insert many rows and are not repeated. */
const longestNamed = 10_000
const prismaPrefix = 'prisma '

/**
 * Returns the name of a statement that Prisma sends often, so that PostgreSQL parses and plans it once per connection. The
 * `statementNameGenerator` of Prisma's adapter.
 * @returns an empty name, which prepares nothing, for all others
 */
export function prismaStatementName({ sql }: { sql: string }): string {
  const { names, sent } = remember('prisma-statements', () => ({
    names: new Map<string, string>(),
    sent: new LRUCache<string, number>({ max: 1_000 }),
  }))
  const known = names.get(sql)
  if (known !== undefined) return known
  if (names.size >= mostNamed || sql.length > longestNamed) return ''
  const times = (sent.get(sql) ?? 0) + 1
  sent.set(sql, times)
  if (times < hotAfter) return ''
  const name = `${prismaPrefix}${names.size + 1}`
  names.set(sql, name)
  return name
}

/** Returns whether a statement was named by `prismaStatementName`. Metrics and traces summarize its text instead. */
export const isPrismaStatement = (name: string): boolean => name.startsWith(prismaPrefix)
