import type { Metadata } from 'next'
import { FilterChip } from '@/components/lists/filters'
import { ListFrame } from '@/components/lists/list-frame'
import { MemberTable } from '@/components/members/member-table'
import { roleNames } from '@/components/members/role-select'
import { Users } from '@/components/ui/icon'
import { numberedPageOf, oneOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { searchMembers, searchWatchedMembers } from '@/lib/features/workspaces/search-members'
import type { Role } from '@/lib/policy/scopes'
import { changeRolesAction, removeMembersAction } from '../actions'
import { openMembers } from '../open-members'

export const metadata: Metadata = { title: 'Members' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

const factorStates = { on: 'On', off: 'Off' } as const

const orders = {
  name: 'Name',
  '-name': 'Name, reversed',
  role: 'Role, highest first',
  '-role': 'Role, lowest first',
  twoFactor: 'Two-factor off first',
  '-twoFactor': 'Two-factor on first',
  '-active': 'Last active first',
  active: 'Longest inactive first',
  '-joined': 'Newest first',
  joined: 'Oldest first',
} as const

export default async function MembersPage({ params, searchParams }: Props) {
  const { user, workspace, home, path, admin } = await openMembers(params)
  const query = await searchParams
  const search = searchOf(query)
  const role = oneOf(query, 'role', Object.keys(roleNames) as Role[])
  const factor = admin ? oneOf(query, 'twoFactor', ['on', 'off']) : undefined
  const sort = (admin && oneOf(query, 'sort', Object.keys(orders) as (keyof typeof orders)[])) || 'name'
  const order = { column: sort.replace('-', '') as 'name', descending: sort.startsWith('-') }
  const wanted = { text: search, role }
  const page = admin
    ? await searchWatchedMembers(
        workspace.id,
        {
          ...wanted,
          twoFactor: factor && factor === 'on',
          order: order.column,
          descending: order.descending,
        },
        numberedPageOf(query),
      )
    : await searchMembers(workspace.id, wanted, numberedPageOf(query))
  const filters = { role: role ?? '', twoFactor: factor ?? '' }
  const sorted = { sort: sort === 'name' ? '' : sort }
  const kept = { search, ...filters, ...sorted }
  return (
    <ListFrame
      path={path}
      noun={['member', 'members']}
      page={page}
      search={search}
      kept={filters}
      order={sorted}
      filters={
        <>
          <FilterChip path={path} name="role" label="Role" choices={roleNames} value={role} kept={kept} />
          {admin && (
            <>
              <FilterChip
                path={path}
                name="twoFactor"
                label="Two-factor"
                choices={factorStates}
                value={factor}
                kept={kept}
              />
              <FilterChip
                path={path}
                name="sort"
                label="Sort"
                choices={orders}
                value={sort === 'name' ? undefined : sort}
                all={null}
                kept={kept}
                className="sm:hidden"
              />
            </>
          )}
        </>
      }
      empty={{ icon: Users, title: 'No members', text: 'Invite people to this workspace.' }}
    >
      <MemberTable
        members={page.rows}
        you={user.id}
        manage={
          admin
            ? {
                workspaceId: workspace.id,
                workspaceName: workspace.name,
                path,
                logHref: `${home}/settings/audit-log`,
                order,
                kept: { search, ...filters },
                change: changeRolesAction,
                remove: removeMembersAction,
              }
            : undefined
        }
      />
    </ListFrame>
  )
}
