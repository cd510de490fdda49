import type { Metadata } from 'next'
import { PageHeader } from '@/components/frame/page-header'
import { FactList } from '@/components/operator/fact-list'
import { PersonActions } from '@/components/operator/person-actions'
import { PersonBadges } from '@/components/operator/person-badges'
import { Section } from '@/components/ui/card'
import { Stack } from '@/components/ui/stack'
import { Time } from '@/components/ui/time'
import { getPerson } from '@/lib/instance/list-people'
import { orNotFound } from '@/lib/web/or-not-found'
import * as actions from '../../actions'
import { openOperator } from '../../open-operator'

export const metadata: Metadata = { title: 'Person' }

const roleNames = { ADMIN: 'admin', MEMBER: 'member', VIEWER: 'viewer' }

export default async function PersonPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const { actor } = await openOperator(`/operator/people/${id}`)
  const person = await orNotFound(getPerson(actor, id))
  const memberships = person.workspaces.map(({ name, role }) => `${name} (${roleNames[role]})`)
  return (
    <>
      <PageHeader
        title={person.name}
        trail={[{ label: 'People', href: '/operator/people' }]}
        badge={<PersonBadges person={person} />}
        description={person.email}
      />
      <Stack>
        <Section title="Account">
          <FactList
            facts={[
              { label: 'Signed up', value: <Time at={person.createdAt} /> },
              { label: 'Live sessions', value: person.sessions },
              { label: 'API tokens', value: person.apiTokens },
              { label: 'Authorized apps', value: person.authorizations },
              { label: 'Passkeys', value: person.passkeys },
              { label: 'Authenticator app', value: person.totp ? 'Yes' : 'No' },
              { label: 'Workspaces', value: memberships.join(', ') || 'None' },
              { label: 'Id', value: <span className="font-mono text-[13px]">{person.id}</span> },
            ]}
          />
        </Section>
        <PersonActions
          person={{ ...person, enrolled: person.totp || person.passkeys > 0 }}
          self={actor.userId === person.id}
          actions={{
            suspend: actions.suspendAction,
            unsuspend: actions.unsuspendAction,
            signOut: actions.signOutAction,
            removeFactors: actions.removeFactorsAction,
            addOperator: actions.addOperatorAction,
            removeOperator: actions.removeOperatorAction,
            resetLink: actions.resetLinkAction,
          }}
        />
      </Stack>
    </>
  )
}
