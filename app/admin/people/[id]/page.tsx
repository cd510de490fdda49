import type { Metadata } from 'next'
import { PageHeader } from '@/components/frame/page-header'
import { PersonActions } from '@/components/instance-admin/person-actions'
import {
  PersonAccess,
  PersonApps,
  PersonBadges,
  PersonFacts,
  PersonWorkspaces,
} from '@/components/instance-admin/person-facts'
import { ButtonLink } from '@/components/ui/button-link'
import { Stack } from '@/components/ui/stack'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { getPerson } from '@/lib/features/instance-admin/lists'
import { openInstanceAdmin } from '../../open-instance-admin'
import * as actions from './actions'

export const metadata: Metadata = { title: 'User' }

export default async function PersonPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const { actor } = await openInstanceAdmin(`/admin/people/${id}`)
  const person = await orNotFound(getPerson(actor, id))
  return (
    <>
      <PageHeader
        title={person.name}
        trail={[{ label: 'People', href: '/admin/people' }]}
        badge={<PersonBadges person={person} />}
        description={person.email}
        action={
          <ButtonLink href={`/admin/audit?${new URLSearchParams({ person: person.email })}`}>
            Their activity
          </ButtonLink>
        }
      />
      <Stack>
        <PersonFacts person={person} />
        <PersonWorkspaces workspaces={person.workspaces} />
        <PersonApps apps={person.apps} />
        <PersonAccess person={person} />
        <PersonActions
          person={{ ...person, enrolled: person.totp || person.counts.passkeys > 0 }}
          self={actor.userId === person.id}
          actions={{
            suspend: actions.suspendAction,
            unsuspend: actions.unsuspendAction,
            signOut: actions.signOutAction,
            removeFactors: actions.removeFactorsAction,
            addInstanceAdmin: actions.addInstanceAdminAction,
            removeInstanceAdmin: actions.removeInstanceAdminAction,
            resetLink: actions.resetLinkAction,
          }}
        />
      </Stack>
    </>
  )
}
