import { Alert } from '../ui/alert'
import { Section } from '../ui/card'
import { FactList } from '../ui/fact-list'
import { ButtonLink } from '../ui/link'

type Counts = Record<'users' | 'suspended' | 'sessions' | 'workspaces' | 'projects' | 'apps', number>

/**
 * Shows the numbers of users, suspended users, active sessions, workspaces, projects, and apps. If the
 * instance contains demo data, also shows how many users and workspaces are demo data, and how to remove
 * them.
 */
export const CountsSection = ({
  counts,
  demo,
}: {
  counts: Counts
  demo: { users: number; workspaces: number }
}) => (
  <Section title="Totals">
    <FactList
      facts={[
        { label: 'People', value: `${counts.users} (${counts.suspended} suspended)` },
        { label: 'Active sessions', value: counts.sessions },
        { label: 'Workspaces', value: counts.workspaces },
        { label: 'Projects', value: counts.projects },
        { label: 'OAuth apps', value: counts.apps },
        ...(demo.users + demo.workspaces > 0
          ? [
              {
                label: 'Demo data',
                wide: true,
                value: (
                  <>
                    {demo.users} users and {demo.workspaces} workspaces. Remove the demo data with{' '}
                    <code className="font-mono text-[13px]">latchkey remove-demo</code>.
                  </>
                ),
              },
            ]
          : []),
      ]}
    />
  </Section>
)

/**
 * Shows how many self-registered apps wait for an instance admin's approval, with a link to review these
 * apps. Renders nothing if no apps wait.
 */
export const AppsWaiting = ({ count }: { count: number }) =>
  count > 0 && (
    <Alert
      tone="warning"
      title={
        count === 1 ? '1 app needs your approval' : `${count.toLocaleString('en')} apps need your approval`
      }
      action={
        <ButtonLink href="/admin/apps?state=waiting" size="small">
          Review apps
        </ButtonLink>
      }
    >
      Users can’t authorize self-registered apps until an instance admin approves them.
    </Alert>
  )
