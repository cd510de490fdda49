import type { z } from 'zod'

/**
 * A rule of input with a beginning and an end, which is not in it itself: where the end is not after the beginning nothing could ever be
 * found, and that is said in words. For `superRefine`.
 */
export function beginsBeforeItEnds(
  { since, until }: { since?: Date | null | undefined; until?: Date | null | undefined },
  context: z.RefinementCtx,
): void {
  if (!since || !until || since < until) return
  context.addIssue({ code: 'custom', path: ['until'], message: 'The end must be after the beginning.' })
}
