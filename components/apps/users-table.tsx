import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { AppUser } from '@/lib/features/apps/activity/list-users'
import { ConfirmAction } from '../forms/action-button'
import { Avatar } from '../ui/avatar'
import { Section } from '../ui/card'
import { Copyable } from '../ui/copyable'
import { LastUsed } from '../ui/expiry'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

/**
 * Lists the users who authorized an app. For each user, shows the scopes, the dates of the authorization and
 * the last use, and a button to revoke the access. If the name and the email address are hidden from the
 * app's admins, shows the user's ID that the app receives.
 */
export function UsersOfAppTable({
  users,
  clientId,
  revoke,
}: {
  users: AppUser[]
  clientId: string
  revoke: FormAction
}) {
  return (
    <Table
      caption="People"
      head={
        <>
          <Head>User</Head>
          <Head>Access</Head>
          <Head>Since</Head>
          <Head>Last used</Head>
          <Head srOnly>Actions</Head>
        </>
      }
    >
      {users.map((user) => {
        const called = user.name ?? user.email ?? user.userId
        const hidden = called === user.userId
        return (
          <Row key={user.id}>
            <Cell className="min-w-60">
              <div className="flex min-w-0 items-center gap-3">
                <Avatar name={hidden ? '?' : called} id={user.userId} src={user.avatarUrl} />
                <div className="grid min-w-0">
                  {user.name && <bdi className="wrap-anywhere font-medium">{user.name}</bdi>}
                  {user.email && (
                    <Copyable
                      value={user.email}
                      of={`email of ${called}`}
                      className={user.name ? 'text-muted' : 'font-medium text-sm'}
                    />
                  )}
                  {hidden && (
                    <>
                      <span className="font-medium">Name not shared</span>
                      <Copyable value={user.userId} of={`ID ${called}`} mono className="text-muted" />
                    </>
                  )}
                </div>
              </div>
            </Cell>
            <Cell className="wrap-anywhere min-w-36 font-mono text-[13px] max-sm:col-span-full">
              {user.scopes.join(' ')}
            </Cell>
            <Cell muted className="whitespace-nowrap">
              <Time at={user.since} />
            </Cell>
            <Cell muted className="whitespace-nowrap">
              <LastUsed at={user.lastUsedAt} />
            </Cell>
            <Cell numeric>
              <ConfirmAction
                trigger="Revoke"
                triggerLabel={`Revoke access to ${called}`}
                triggerLook={{ size: 'small' }}
                title={`Revoke access to ${called}?`}
                confirmLabel="Revoke access"
                done="Access revoked"
                action={revoke}
                fields={{ id: clientId, userId: user.userId }}
              >
                <p>The app loses access to this account immediately and must request access again.</p>
              </ConfirmAction>
            </Cell>
          </Row>
        )
      })}
    </Table>
  )
}

/**
 * A button that revokes the access that all users granted to an app, after the admin types the app's name.
 */
export function RevokeAllUsers({
  app: { id, name, users },
  action,
}: {
  app: { id: string; name: string; users: number }
  action: FormAction
}) {
  return (
    <Section
      danger
      title="Revoke all access"
      description="Use this if the app’s tokens leaked. All users must then authorize the app again."
    >
      <div>
        <ConfirmAction
          trigger="Revoke all access"
          title="Revoke all access?"
          confirmLabel="Revoke all access"
          done="Access revoked"
          confirmName={name}
          action={action}
          fields={{ id }}
        >
          <p>
            {users === 1 ? '1 user loses' : `${users.toLocaleString('en')} users lose`} access through {name}{' '}
            immediately. All its authorization codes and tokens will be revoked.
          </p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
