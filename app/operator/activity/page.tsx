import type { Metadata } from 'next'
import { ActivityCharts } from '@/components/operator/activity-charts'
import { ButtonLink } from '@/components/ui/button-link'
import { Section } from '@/components/ui/card'
import { addressOf, oneOf, type SearchParams } from '@/lib/edges/web/console/list-page'
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
      title="Activity"
      description={`The last ${ranges[range].label}, all replicas together, in UTC. What happened in the last seconds may be missing.`}
      action={
        <nav aria-label="Time" className="flex gap-2">
          {choices.map((choice) => (
            <ButtonLink
              key={choice}
              size="small"
              href={addressOf(path, { range: choice })}
              variant={choice === range ? 'primary' : 'secondary'}
              aria-current={choice === range ? 'page' : undefined}
            >
              {ranges[choice].label}
            </ButtonLink>
          ))}
        </nav>
      }
    >
      <ActivityCharts slots={slots} />
    </Section>
  )
}
