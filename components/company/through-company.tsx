import type { Admission } from '@/lib/policy/app-policy'
import { FactList } from '../instance-admin/fact-list'
import { Alert } from '../ui/alert'
import { ButtonLink } from '../ui/button-link'
import { Section } from '../ui/card'
import { LastUsed } from '../ui/expiry'
import { Pagination } from '../ui/pagination'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

type Props = {
  managed: { scopes: string[]; since: string; lastUsedAt: string | null }
  /** Whether the workspace's policy lets it in. */
  admission: Admission
  /** Where this is changed. */
  changeHref: string
  people: { id: string; name: string; since: Date; lastUsedAt: Date }[]
  pages: { previous: string | undefined; next: string | undefined }
}

/** What an app may do by the word of the company's identity provider, for whom it did, and where that is changed. */
export function ThroughCompany({ managed, admission, changeHref, people, pages }: Props) {
  const { scopes, since, lastUsedAt } = managed
  const facts = [
    { label: 'Access', value: scopes.join(', ') || 'Nothing here' },
    { label: 'Can reach', value: 'The workspace' },
    { label: 'Let in', value: <Time at={new Date(since)} /> },
    { label: 'Last used', value: <LastUsed at={lastUsedAt ? new Date(lastUsedAt) : null} /> },
  ]
  return (
    <>
      <Section
        title="Through the company"
        description="It acts for the people your identity provider names, without asking them, and never beyond their own role."
        footer={
          <ButtonLink href={changeHref} className="ml-auto">
            Change
          </ButtonLink>
        }
      >
        {admission.kind === 'closed' && (
          <Alert tone="warning" title="Kept out by the policy">
            The workspace’s policy for apps applies to this one too: its requests for tokens are refused until
            an admin lets it in there.
          </Alert>
        )}
        <FactList facts={facts} />
      </Section>
      {people.length > 0 && (
        <Section
          title="People through the company"
          description="The people your provider has sent it for, newest first."
          flush
        >
          <Table
            caption="People through the company"
            head={
              <>
                <Head>Person</Head>
                <Head>Since</Head>
                <Head>Last used</Head>
              </>
            }
          >
            {people.map(({ id, name, since, lastUsedAt }) => (
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
        <Pagination {...pages} label="Pages of people through the company" />
      )}
    </>
  )
}
