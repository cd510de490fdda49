import type { Metadata } from 'next'
import { RangeNav } from '@/components/charts/range-nav'
import { ActivityCharts } from '@/components/instance-admin/activity-charts'
import { Section } from '@/components/ui/card'
import { oneOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { type Range, ranges, readFigures } from '@/lib/features/figures/read-figures'
import { openInstanceAdmin } from '../open-instance-admin'

export const metadata: Metadata = { title: 'Activity' }

const path = '/admin/activity'
const choices = Object.keys(ranges) as Range[]

export default async function ActivityPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await openInstanceAdmin(path)
  const range = oneOf(await searchParams, 'range', choices) ?? '24h'
  const slots = await readFigures(actor, range)
  return (
    <Section
      title={`The last ${ranges[range].label}`}
      description="Totals across all replicas, in UTC. The last few seconds might be missing."
      flush
      action={<RangeNav path={path} ranges={ranges} range={range} />}
    >
      <ActivityCharts slots={slots} />
    </Section>
  )
}
