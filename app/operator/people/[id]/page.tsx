import type { Metadata } from 'next'
import { PageHeader } from '@/components/frame/page-header'
import { FactList } from '@/components/operator/fact-list'
import { PersonActions } from '@/components/operator/person-actions'
import { PersonApps } from '@/components/operator/person-apps'
import { PersonBadges } from '@/components/operator/person-badges'
import { PersonWorkspaces } from '@/components/operator/person-workspaces'
import { ButtonLink } from '@/components/ui/button-link'
import { Section } from '@/components/ui/card'
import { Stack } from '@/components/ui/stack'
import { Time } from '@/components/ui/time'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { getPerson } from '@/lib/features/operator/list-people'
import { openOperator } from '../../open-operator'
import * as actions from './actions'

export const metadata: Metadata = { title: 'Person' }

export default async function PersonPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const { actor } = await openOperator(`/operator/people/${id}`)
  const person = await orNotFound(getPerson(actor, id))
  return (
    <>
      <PageHeader
        title={person.name}
        trail={[{ label: 'People', href: '/operator/people' }]}
        badge={<PersonBadges person={person} />}
        description={person.email}
        action={
          <ButtonLink href={`/operator/audit?${new URLSearchParams({ person: person.email })}`}>
            Their activity
          </ButtonLink>
        }
      />
      <Stack>
        <Section title="Account">
          <FactList
            facts={[
              { label: 'Signed up', value: <Time at={person.createdAt} /> },
              { label: 'Active sessions', value: person.counts.sessions },
              { label: 'API tokens', value: person.counts.apiTokens },
              { label: 'Authorized apps', value: person.counts.authorizations },
              { label: 'Passkeys', value: person.counts.passkeys },
              { label: 'Authenticator app', value: person.totp ? 'Yes' : 'No' },
              { label: 'ID', value: <span className="font-mono text-[13px]">{person.id}</span> },
            ]}
          />
        </Section>
        <PersonWorkspaces workspaces={person.workspaces} />
        <PersonApps apps={person.apps} />
        <PersonActions
          person={{ ...person, enrolled: person.totp || person.counts.passkeys > 0 }}
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
