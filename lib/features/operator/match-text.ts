import { likeLiteral } from '@/lib/base/db/like-literal'

/**
 * A Prisma filter for "holds this text, whatever its case". Prisma hands `%` and `_` to LIKE as wildcards; here they stand
 * for themselves.
 * @returns undefined for an empty search
 */
export function matchText(search: string): { contains: string; mode: 'insensitive' } | undefined {
  const text = search.trim()
  return text ? { contains: likeLiteral(text), mode: 'insensitive' } : undefined
}
