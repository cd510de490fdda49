import type { Admission } from '@/lib/policy/app-policy'
import { Alert } from '../ui/alert'
import { Section } from '../ui/card'
import { LastUsed } from '../ui/expiry'
import { FactList } from '../ui/fact-list'
import { ButtonLink } from '../ui/link'
import { Pagination } from '../ui/pagination'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

type Props = {
  managed: { scopes: string[]; since: string; lastUsedAt: string | null }
  /**
   * The access that the workspace's app policy allows the app. A warning is shown if the policy does not
   * allow the app.
   */
  admission: Admission
  /** The URL of the page on which the access can be changed. */
  changeHref: string
  users: { id: string; name: string; since: Date; lastUsedAt: Date }[]
  pages: { previous: string | undefined; next: string | undefined }
}

/** Shows the access and the users of an SSO-managed app, with a link to change the access. */
export function ManagedAccess({ managed, admission, changeHref, users, pages }: Props) {
  const { scopes, since, lastUsedAt } = managed
  const facts = [
    { label: 'Access', value: scopes.join(', ') || 'None' },
    { label: 'Resources', value: 'The workspace' },
    { label: 'Allowed', value: <Time at={new Date(since)} /> },
    { label: 'Last used', value: <LastUsed at={lastUsedAt ? new Date(lastUsedAt) : null} /> },
  ]
  return (
    <>
      <Section
        title="SSO-managed access"
        description="Your identity provider lets this app act for users, without a consent page. The app never gets more access than the user’s own role allows."
        footer={
          <ButtonLink href={changeHref} className="ml-auto">
            Change
          </ButtonLink>
        }
      >
        {admission.kind === 'closed' && (
          <Alert tone="warning" title="Not allowed by the app policy">
            The workspace’s app policy also applies to this app and doesn’t allow it. The app’s token requests
            are rejected until an admin approves the app or changes the policy under Settings &gt; Apps.
          </Alert>
        )}
        <FactList facts={facts} />
      </Section>
      {users.length > 0 && (
        <Section
          title="Users with SSO-managed access"
          description="Your identity provider has let the app act for these users. Newest first."
          flush
        >
          <Table
            caption="Users with SSO-managed access"
            head={
              <>
                <Head>User</Head>
                <Head>Since</Head>
                <Head>Last used</Head>
              </>
            }
          >
            {users.map(({ id, name, since, lastUsedAt }) => (
              <Row key={id}>
                <Cell className="wrap-anywhere font-medium">{name}</Cell>
                <Cell muted>
                  <Time at={since} />
                </Cell>
                <Cell muted>
                  <LastUsed at={lastUsedAt} />
                </Cell>
              </Row>
            ))}
          </Table>
        </Section>
      )}
      {(pages.previous || pages.next) && (
        <Pagination {...pages} label="Pages of users with SSO-managed access" />
      )}
    </>
  )
}
