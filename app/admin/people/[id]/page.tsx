import type { Metadata } from 'next'
import { cache } from 'react'
import { PageHeader } from '@/components/frame/page-header'
import { UserActions } from '@/components/instance-admin/user-actions'
import {
  UserAccess,
  UserApps,
  UserBadges,
  UserFacts,
  UserWorkspaces,
} from '@/components/instance-admin/user-facts'
import { Copyable } from '@/components/ui/copyable'
import { ButtonLink } from '@/components/ui/link'
import { Stack } from '@/components/ui/stack'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { getUser } from '@/lib/features/instance-admin/lists'
import { openInstanceAdmin } from '../../open-instance-admin'
import * as actions from './actions'

type Props = { params: Promise<{ id: string }> }

/** Returns the user. Reads the user once per request for both the title and the content of the page. */
const readUser = cache(getUser)

async function openUser(params: Props['params']) {
  const { id } = await params
  const { actor } = await openInstanceAdmin(`/admin/people/${id}`)
  return { actor, user: await orNotFound(readUser(actor, id)) }
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await openUser(params)).user.name }
}

export default async function UserPage({ params }: Props) {
  const { actor, user } = await openUser(params)
  return (
    <>
      <PageHeader
        title={user.name}
        trail={[{ label: 'People', href: '/admin/people' }]}
        badge={<UserBadges user={user} />}
        description={<Copyable value={user.email} of="email" className="text-sm" />}
        action={
          <ButtonLink href={`/admin/audit?${new URLSearchParams({ user: user.email })}`}>
            View activity
          </ButtonLink>
        }
      />
      <Stack>
        <UserFacts user={user} />
        <UserWorkspaces workspaces={user.workspaces} />
        <UserApps apps={user.apps} />
        <UserAccess user={user} />
        <UserActions
          user={{ ...user, enrolled: user.totp || user.counts.passkeys > 0 }}
          self={actor.userId === user.id}
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
