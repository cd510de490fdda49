import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import type { TokenInList } from '@/lib/features/api-tokens/search-tokens'
import { roleNames } from '../members/role-select'
import { Expiry, LastUsed } from '../ui/expiry'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'
import { TokenMenu } from './revoke-token'

/** Returns the row of a token for a workspace or one of its projects. */
export const listedToken = ({ user, project, role, ...token }: TokenInList): ListedToken => ({
  ...token,
  display: displayToken(token),
  reach: project ?? 'Workspace',
  ...(project === null ? {} : { reachKind: 'Project' }),
  role: roleNames[role],
  by: user,
})

export type ListedToken = {
  id: string
  name: string
  /** The token's prefix and last four characters. */
  display: string
  /**
   * The text of the second column, whose heading is the `reach` prop of TokenTable. In a project's list, this
   * text is the role.
   */
  reach: string
  /** The kind of the resource in `reach`, if its name does not identify the kind. */
  reachKind?: string
  /** The role limit, if `reach` does not contain it. */
  role?: string
  /** The creator, if the list can contain other users' tokens. */
  by?: string | undefined
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
}

/** Lists API tokens, each with a menu to revoke it. `reach` is the heading of the second column. */
export function TokenTable({
  tokens,
  reach: reachName = 'Workspace',
  listHref,
  revoke,
}: {
  tokens: ListedToken[]
  reach?: string
  /** The path prefix of the token pages. */
  listHref: string
  revoke: FormAction
}) {
  const roles = tokens.some(({ role }) => role)
  return (
    <Table
      caption="API tokens"
      head={
        <>
          <Head>Token</Head>
          <Head>{reachName}</Head>
          {roles && <Head>Role</Head>}
          <Head>Last used</Head>
          <Head>Expires</Head>
          <Head srOnly>Actions</Head>
        </>
      }
    >
      {tokens.map(({ id, name, display, reach, reachKind, role, by, createdAt, lastUsedAt, expiresAt }) => (
        <Row key={id}>
          <Cell className="max-w-72">
            <span className="grid min-w-40 grid-cols-[minmax(0,1fr)]">
              <span className="truncate font-medium" title={name}>
                {name}
              </span>
              <span className="whitespace-nowrap font-mono text-[13px] text-muted">{display}</span>
              <span className="truncate text-[13px] text-muted" title={by}>
                Created <Time at={createdAt} />
                {by && ` by ${by}`}
              </span>
            </span>
          </Cell>
          <Cell className="wrap-anywhere sm:min-w-28">
            {reach}
            {reachKind && <span className="block text-[13px] text-muted">{reachKind}</span>}
          </Cell>
          {roles && <Cell className="whitespace-nowrap">{role}</Cell>}
          <Cell muted className="whitespace-nowrap">
            <LastUsed at={lastUsedAt} />
          </Cell>
          <Cell muted className="whitespace-nowrap">
            <Expiry at={expiresAt} />
          </Cell>
          <Cell numeric>
            <TokenMenu token={{ id, name, display }} page={`${listHref}/${id}`} revoke={revoke} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
