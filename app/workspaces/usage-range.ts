import { oneOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { type UsageRange, usageRanges } from '@/lib/features/apps/activity/read-usage'

/** How far back a page's charts look, as its address says; a month unless it does. */
export const usageRangeOf = (query: SearchParams): UsageRange =>
  oneOf(query, 'range', Object.keys(usageRanges) as UsageRange[]) ?? '30d'
