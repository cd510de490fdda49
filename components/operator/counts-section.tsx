import { Section } from '../ui/card'
import { FactList } from './fact-list'

type Counts = Record<'people' | 'suspended' | 'sessions' | 'workspaces' | 'projects' | 'apps', number>

/** How much there is of everything, and how much of it the demo made. */
export const CountsSection = ({
  counts,
  demo,
}: {
  counts: Counts
  demo: { people: number; workspaces: number }
}) => (
  <Section title="Totals">
    <FactList
      facts={[
        { label: 'People', value: `${counts.people} (${counts.suspended} suspended)` },
        { label: 'Active sessions', value: counts.sessions },
        { label: 'Workspaces', value: counts.workspaces },
        { label: 'Projects', value: counts.projects },
        { label: 'OAuth apps', value: counts.apps },
        ...(demo.people + demo.workspaces > 0
          ? [
              {
                label: 'Demo data',
                wide: true,
                value: (
                  <>
                    {demo.people} people and {demo.workspaces} workspaces.{' '}
                    <code className="font-mono text-[13px]">latchkey remove-demo</code> removes them.
                  </>
                ),
              },
            ]
          : []),
      ]}
    />
  </Section>
)
