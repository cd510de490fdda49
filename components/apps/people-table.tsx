import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { AppUser } from '@/lib/features/apps/activity/list-users'
import { ConfirmAction } from '../forms/action-button'
import { Avatar } from '../ui/avatar'
import { Section } from '../ui/card'
import { LastUsed } from '../ui/expiry'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

/**
 * Lists the users who authorized an app, with date and scopes. A user who did not share their name is shown by the ID
 * that the app knows.
 */
export function PeopleOfAppTable({
  people,
  clientId,
  revoke,
}: {
  people: AppUser[]
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
      {people.map((person) => {
        const called = person.name ?? person.email ?? person.userId
        return (
          <Row key={person.id}>
            <Cell className="min-w-44">
              <div className="flex min-w-0 items-center gap-3">
                <Avatar name={called} id={person.userId} src={person.avatarUrl} />
                <div className="grid min-w-0">
                  {person.name && <bdi className="wrap-anywhere font-medium">{person.name}</bdi>}
                  {person.email && (
                    <span
                      className={`wrap-anywhere ${person.name ? 'text-[13px] text-muted' : 'font-medium'}`}
                    >
                      {person.email}
                    </span>
                  )}
                  {called === person.userId && (
                    <span className="wrap-anywhere font-mono text-[13px]">{person.userId}</span>
                  )}
                </div>
              </div>
            </Cell>
            <Cell className="wrap-anywhere min-w-36 font-mono text-[13px] max-sm:col-span-full">
              {person.scopes.join(' ')}
            </Cell>
            <Cell muted className="whitespace-nowrap">
              <Time at={person.since} />
            </Cell>
            <Cell muted className="whitespace-nowrap">
              <LastUsed at={person.lastUsedAt} />
            </Cell>
            <Cell numeric>
              <ConfirmAction
                trigger="Revoke"
                triggerLabel={`Revoke the access to ${called}`}
                triggerLook={{ size: 'small' }}
                title={`Revoke the access to ${called}?`}
                confirmLabel="Revoke access"
                done="Access revoked"
                action={revoke}
                fields={{ id: clientId, userId: person.userId }}
              >
                <p>The app loses access to their account immediately. It must request access again.</p>
              </ConfirmAction>
            </Cell>
          </Row>
        )
      })}
    </Table>
  )
}

/** Revokes the access that all users gave an app, after the admin types its name. Use it if the app's tokens leaked. */
export function RevokeEverybody({
  app: { id, name, people },
  action,
}: {
  app: { id: string; name: string; people: number }
  action: FormAction
}) {
  return (
    <Section
      danger
      title="Revoke all access"
      description="Use this if your tokens leaked. Everyone has to authorize the app again."
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
            {people === 1 ? '1 user loses' : `${people.toLocaleString('en')} users lose`} access through{' '}
            {name} immediately. All of its codes and tokens for them are revoked.
          </p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
