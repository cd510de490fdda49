import { LRUCache } from 'lru-cache'
import { remember } from '@/lib/base/process/remember'

/**
 * The number of times that Prisma has sent a statement, including the current one, when the statement gets a
 * name. A rare statement gets no name. For example, the text of a statement with a list depends on the list's
 * length, and most lengths are rare.
 */
const hotAfter = 3
/**
 * The maximum number of statements that get a name. The number is limited because PostgreSQL keeps a plan for
 * each named statement on every connection.
 */
const mostNamed = 200
/**
 * The maximum length of a named statement, in characters. A longer statement usually inserts many rows, and
 * its text is rarely sent again.
 */
const longestNamed = 10_000
const prismaPrefix = 'prisma '

/**
 * Returns a name for a statement that Prisma sends often, so that PostgreSQL parses and plans it only once
 * per connection. This is the `statementNameGenerator` of Prisma's adapter.
 * @returns an empty text if the statement is rare or too long, or if `mostNamed` other statements have names;
 * the statement is then not prepared
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

/**
 * Returns whether a statement was named by `prismaStatementName`. Metrics and traces contain a summary of its
 * text instead of this name.
 */
export const isPrismaStatement = (name: string): boolean => name.startsWith(prismaPrefix)
