/** Prisma's foreign key violation and missing row, and PostgreSQL's own code of the former. */
const codes = new Set(['P2003', 'P2025', '23503'])

/**
 * Whether a write failed because a row it hangs on, or the row itself, was deleted after the rights were decided. To the
 * caller that is the same as asking a moment later: nothing is found.
 */
export const isGoneMeanwhile = (error: unknown): boolean =>
  error instanceof Error && codes.has(String((error as { code?: unknown }).code))
