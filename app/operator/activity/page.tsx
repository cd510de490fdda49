import type { Metadata } from 'next'
import { RangeNav } from '@/components/charts/figures-table'
import { ActivityCharts } from '@/components/operator/activity-charts'
import { Section } from '@/components/ui/card'
import { oneOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { type Range, ranges, readFigures } from '@/lib/features/figures/read-figures'
import { openOperator } from '../open-operator'

export const metadata: Metadata = { title: 'Activity' }

const path = '/operator/activity'
const choices = Object.keys(ranges) as Range[]

export default async function ActivityPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await openOperator(path)
  const range = oneOf(await searchParams, 'range', choices) ?? '24h'
  const slots = await readFigures(actor, range)
  return (
    <Section
      title={`The last ${ranges[range].label}`}
      description="All replicas together, in UTC. What happened in the last seconds may be missing."
      flush
      action={<RangeNav path={path} ranges={ranges} range={range} />}
    >
      <ActivityCharts slots={slots} />
    </Section>
  )
}
