'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { Api } from '@/lib/features/resources/apis'
import type { ApiSecret } from '@/lib/features/resources/credentials'
import type { ListedApi } from '@/lib/features/resources/list-apis'
import { ConfirmAction } from '../forms/action-button'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { AppLogo } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { Copyable } from '../ui/copyable'
import { EmptyState } from '../ui/empty-state'
import { counted } from '../ui/formats'
import { Link } from '../ui/link'
import { SecretOnce } from '../ui/secret-once'
import { SubmitButton } from '../ui/submit-button'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

/** Lists the registered APIs. */
export function ApiTable({ apis }: { apis: readonly ListedApi[] }) {
  return (
    <Table
      caption="APIs"
      head={
        <>
          <Head>API</Head>
          <Head>Tokens</Head>
          <Head numeric>Scopes</Head>
          <Head numeric>Apps</Head>
          <Head numeric>People</Head>
        </>
      }
    >
      {apis.map(({ id, name, identifier, logoUrl, tokenFormat, scopes, apps, users, fromFile }) => (
        <Row key={id}>
          <Cell>
            <div className="flex items-center gap-3">
              <AppLogo app={{ id, name, logoUrl }} />
              <div className="grid min-w-0">
                <span className="flex flex-wrap items-center gap-1.5 font-medium">
                  <Link href={`/admin/apis/${id}`} className="wrap-anywhere hover:underline">
                    <bdi>{name}</bdi>
                  </Link>
                  {fromFile && <Badge>From file</Badge>}
                </span>
                <Copyable value={identifier} of={`identifier of ${name}`} mono className="text-muted" />
              </div>
            </div>
          </Cell>
          <Cell>{tokenFormat === 'JWT' ? 'JWT' : 'Opaque'}</Cell>
          <Cell numeric>{scopes.length}</Cell>
          <Cell numeric>{apps.toLocaleString('en')}</Cell>
          <Cell numeric>{users.toLocaleString('en')}</Cell>
        </Row>
      ))}
    </Table>
  )
}

/**
 * Lists the scopes of an API that RESOURCES_FILE defines. The settings of such an API can be changed only in
 * the file.
 */
export function ApiScopeTable({ scopes }: { scopes: Api['scopes'] }) {
  return (
    <Section title="Scopes" description="RESOURCES_FILE defines this API. Change it in the file." flush>
      <Table
        caption="Scopes"
        head={
          <>
            <Head>Scope</Head>
            <Head>Description</Head>
            <Head>Resource selection</Head>
            <Head>Sensitivity</Head>
          </>
        }
      >
        {scopes.map(({ name, description, selects, sensitivity }) => (
          <Row key={name}>
            <Cell className="wrap-anywhere font-mono text-[13px]">{name}</Cell>
            <Cell>
              <bdi>{description}</bdi>
            </Cell>
            <Cell muted>{selects === 'NOTHING' ? 'None' : inWords(selects)}</Cell>
            <Cell muted>{inWords(sensitivity)}</Cell>
          </Row>
        ))}
      </Table>
    </Section>
  )
}

const inWords = (value: string) => value.charAt(0) + value.slice(1).toLowerCase()

/**
 * Lists the client secrets of an API, with buttons to create and revoke secrets. A new secret is shown once.
 * Two secrets can be valid at the same time, so that a secret can be replaced without an outage.
 */
export function ApiSecretsSection({
  apiId,
  secrets,
  add,
  revoke,
}: {
  apiId: string
  secrets: readonly ApiSecret[]
  add: FormAction<{ secret: string }>
  revoke: FormAction
}) {
  const [added, submit] = useFormAction(add)
  return (
    <>
      {added.result && (
        <SecretOnce
          key={added.turn}
          label="Client secret"
          value={added.result.secret}
          env={{ API_ID: apiId, API_SECRET: added.result.secret }}
        />
      )}
      <Section
        title="Client secrets"
        description="To rotate: create a secret, deploy it, then revoke the old one. Both secrets work until then."
        flush
        action={
          <form action={submit}>
            <input type="hidden" name="id" value={apiId} />
            <SubmitButton variant="secondary">Create secret</SubmitButton>
          </form>
        }
      >
        {added.message && (
          <div className="border-b p-4">
            <FormOutcome state={added} />
          </div>
        )}
        {secrets.length === 0 ? (
          <EmptyState title="No secrets yet">
            The API needs a secret for introspection and token exchange.
          </EmptyState>
        ) : (
          <Table
            caption="Client secrets"
            head={
              <>
                <Head>Secret</Head>
                <Head>Created</Head>
                <Head>Last used</Head>
                <Head srOnly>Actions</Head>
              </>
            }
          >
            {secrets.map(({ id, lastFour, createdAt, lastUsedAt }) => (
              <Row key={id}>
                <Cell className="whitespace-nowrap font-mono text-[13px]">lk_aps_…{lastFour}</Cell>
                <Cell muted>
                  <Time at={createdAt} />
                </Cell>
                <Cell muted>{lastUsedAt ? <Time at={lastUsedAt} /> : 'Never'}</Cell>
                <Cell numeric>
                  <ConfirmAction
                    trigger="Revoke"
                    triggerLook={{ size: 'small' }}
                    triggerLabel={`Revoke the secret ending in ${lastFour}`}
                    title={`Revoke the secret ending in ${lastFour}?`}
                    confirmLabel="Revoke secret"
                    done="Secret revoked"
                    action={revoke}
                    fields={{ id: apiId, secretId: id }}
                  >
                    <p>The API’s next request with this secret will be rejected.</p>
                  </ConfirmAction>
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Section>
    </>
  )
}

/** A button that deletes an API after the instance admin types the API's name. */
export function DeleteApiSection({ api, action }: { api: ListedApi; action: FormAction }) {
  const { id, name, users, apps } = api
  return (
    <Section
      danger
      title="Delete API"
      description="Deletes the API, its secrets, and all access that users granted to it. This can’t be undone."
    >
      <div>
        <ConfirmAction
          trigger="Delete API"
          title={`Delete ${name}?`}
          confirmLabel="Delete API"
          done="API deleted"
          confirmName={name}
          action={action}
          fields={{ id }}
        >
          <p>
            {users === 0
              ? 'No users have granted access to this API.'
              : `${counted(users, 'user', 'users')} and ${counted(apps, 'app', 'apps')} lose access.`}{' '}
            Opaque tokens stop working immediately. JWTs stop working when they expire.
          </p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
