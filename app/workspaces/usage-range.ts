import { oneOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { type UsageRange, usageRanges } from '@/lib/features/apps/activity/read-usage'

/**
 * Returns the period of a page's charts from the page's query parameters, or 30 days if they contain no valid
 * period.
 */
export const usageRangeOf = (query: SearchParams): UsageRange =>
  oneOf(query, 'range', Object.keys(usageRanges) as UsageRange[]) ?? '30d'
