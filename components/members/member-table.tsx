'use client'
import { startTransition, useId, useRef, useState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import type { Role } from '@/lib/policy/scopes'
import { reasonIn } from '../forms/action-button'
import { useEarlyInput } from '../forms/hydration'
import { attempt } from '../forms/use-form-action'
import { type MenuItem, RowMenu } from '../lists/row-menu'
import { type Order, SortHead } from '../lists/sort-head'
import { Avatar } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { counted } from '../ui/formats'
import { ChevronsUpDown, Ellipsis, ScrollText, UserCog, UserMinus } from '../ui/icon'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'
import { toast } from '../ui/toast'
import { useSay } from '../ui/use-say'
import { type Asked, MemberDialog } from './member-dialog'
import { roleNames } from './role-select'

export type ListedMember = {
  id: string
  name: string
  email: string
  avatarUrl: string | null
  role: Role
  createdAt: Date
  /** The member's two-factor method; null if the member has none. Present only in an admin's list. */
  twoFactor?: 'passkey' | 'app' | null
  /**
   * The time of the member's last activity; null if no activity is recorded. Present only in an admin's list.
   */
  lastActiveAt?: Date | null
}

/** The values by which an admin can sort members. The table has no column for `joined`. */
type MemberColumn = 'name' | 'role' | 'twoFactor' | 'active' | 'joined'

/**
 * The data that the table needs for workspace admins, who can manage members. The forms for `change` and
 * `remove` send the members' IDs as `userIds`, one per line.
 */
export type ManageMembers = {
  workspaceId: string
  workspaceName: string
  /** The path of the list. */
  path: string
  /** The path of the workspace's audit log. */
  logHref: string
  order: Order<MemberColumn>
  /** Other URL parameters to keep when the order changes. */
  kept: Record<string, string>
  change: FormAction
  remove: FormAction
}

const factorNames = { passkey: 'Passkey', app: 'Authenticator app' } as const

/**
 * Lists the members of a workspace. `you` is the ID of the user who views the list. With `manage`, which is
 * only for admins, the list can be sorted, and its members can be changed and removed.
 */
export function MemberTable({
  members,
  you,
  manage,
}: {
  members: ListedMember[]
  you: string
  manage?: ManageMembers | undefined
}) {
  if (manage) return <ManagedTable members={members} you={you} manage={manage} />
  return (
    <Table
      caption="Members"
      head={
        <>
          <Head>User</Head>
          <Head>Role</Head>
          <Head>Joined</Head>
        </>
      }
    >
      {members.map((member) => (
        <Row key={member.id}>
          <Cell>
            <Who member={member} you={you} />
          </Cell>
          <Cell>{roleNames[member.role]}</Cell>
          <Cell muted>
            <Time at={member.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function Who({ member: { id, name, email, avatarUrl }, you }: { member: ListedMember; you: string }) {
  return (
    <span className="flex min-w-0 items-center gap-3 max-sm:gap-2">
      <Avatar name={name} id={id} src={avatarUrl} className="max-sm:size-6 max-sm:text-[10px]" />
      <span className="grid min-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <bdi className="truncate font-medium" title={name}>
            {name}
          </bdi>
          {id === you && <Badge>You</Badge>}
        </span>
        <span className="truncate text-[13px] text-muted" title={email}>
          {email}
        </span>
      </span>
    </span>
  )
}

function ManagedTable({
  members,
  you,
  manage,
}: {
  members: ListedMember[]
  you: string
  manage: ManageMembers
}) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<Asked>()
  const list = useRef<HTMLDivElement>(null)
  useEarlyInput(list)
  const say = useSay()
  const chosen = members.filter(({ id }) => selected.has(id))
  const others = members.filter(({ id }) => id !== you)
  const { workspaceId, path, kept, order } = manage
  const hrefOf = ({ column, descending }: Order<MemberColumn>) => {
    const query = {
      ...kept,
      ...(column === 'name' && !descending ? {} : { sort: (descending ? '-' : '') + column }),
    }
    const set = new URLSearchParams(Object.entries(query).filter(([, each]) => each))
    return set.size > 0 ? `${path}?${set}` : path
  }
  const give = (member: ListedMember, role: Role, undo?: Role) =>
    startTransition(async () => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ workspaceId, userIds: member.id, role }))
        form.set(name, value)
      const reason = reasonIn(await attempt(manage.change, untouched, form, say))
      if (reason) toast(reason, 'danger')
      else toast(`Role of ${member.name} changed`, 'success', undo && (() => give({ ...member, role }, undo)))
    })
  const choose = (member: ListedMember, role: Role) => {
    if (role === member.role) return
    // Changes that grant all permissions in the workspace or that the user cannot undo require confirmation.
    if (role === 'ADMIN' || member.id === you) setAsked({ kind: 'role', role, members: [member] })
    else give(member, role, member.role)
  }
  const roleItems = (member: ListedMember): MenuItem[] =>
    (Object.entries(roleNames) as [Role, string][]).map(([role, label]) => ({
      label,
      checked: role === member.role,
      act: () => choose(member, role),
    }))
  const itemsOf = (member: ListedMember): MenuItem[] => [
    { label: 'Change role…', icon: UserCog, act: () => setAsked({ kind: 'role', members: [member] }) },
    { label: 'Audit log', icon: ScrollText, href: `${manage.logHref}?user=${member.id}` },
    ...(member.id === you
      ? []
      : [
          {
            label: 'Remove from workspace…',
            icon: UserMinus,
            danger: true,
            act: () => setAsked({ kind: 'remove', members: [member] }),
          },
        ]),
  ]
  const sortable = (column: MemberColumn, label: string, className?: string) => (
    <SortHead
      key={column}
      column={column}
      order={order}
      hrefOf={hrefOf}
      {...(className ? { className } : {})}
    >
      {label}
    </SortHead>
  )
  const sendSelection = useId()
  return (
    <>
      <noscript>
        <form id={sendSelection} action={`${path}/change`} className="flex border-b bg-raised px-4 py-2">
          <Button type="submit" size="small">
            Change selected members
          </Button>
        </form>
      </noscript>
      <SelectionBar
        count={chosen.length}
        onClear={() => setSelected(new Set())}
        onChange={() => setAsked({ kind: 'role', members: chosen })}
        onRemove={() => setAsked({ kind: 'remove', members: chosen })}
      />
      <div ref={list} className="contents">
        <Table
          caption="Members"
          className="compact-rows [&>table]:table-fixed"
          unlabelled
          head={
            <>
              <Head className="w-10 pr-0">
                <input
                  type="checkbox"
                  aria-label="Select all on this page"
                  checked={chosen.length > 0 && chosen.length === others.length}
                  ref={(box) => {
                    if (box) box.indeterminate = chosen.length > 0 && chosen.length < others.length
                  }}
                  onChange={({ currentTarget }) =>
                    setSelected(new Set(currentTarget.checked ? others.map(({ id }) => id) : []))
                  }
                  className="tick needs-script align-middle"
                />
              </Head>
              {sortable('name', 'User')}
              {sortable('role', 'Role', 'w-32')}
              {sortable('twoFactor', 'Two-factor', 'w-44 sm:max-lg:hidden')}
              {sortable('active', 'Last active', 'w-36 sm:max-md:hidden')}
              <Head srOnly className="w-14">
                Actions
              </Head>
            </>
          }
        >
          {members.map((member) => {
            const { id, name, role, twoFactor, lastActiveAt } = member
            const href = `${path}/change?user=${id}`
            return (
              <Row key={id} className={selected.has(id) ? 'bg-accent-soft hover:bg-accent-soft' : ''}>
                <Cell className="pr-0">
                  {id === you ? (
                    <span className="block size-4" />
                  ) : (
                    <input
                      type="checkbox"
                      form={sendSelection}
                      name="user"
                      value={id}
                      aria-label={`Select ${name}`}
                      checked={selected.has(id)}
                      onChange={({ currentTarget: { checked } }) =>
                        setSelected((selected) => {
                          const next = new Set(selected)
                          if (checked) next.add(id)
                          else next.delete(id)
                          return next
                        })
                      }
                      className="tick align-middle"
                    />
                  )}
                </Cell>
                <Cell>
                  <Who member={member} you={you} />
                </Cell>
                <Cell>
                  <RowMenu
                    href={href}
                    label={`Role of ${name}: ${roleNames[role]}`}
                    items={() => roleItems(member)}
                    className="row-choice"
                  >
                    {roleNames[role]}
                    <ChevronsUpDown />
                  </RowMenu>
                </Cell>
                <Cell className="sm:max-lg:hidden">
                  <span className="text-muted sm:hidden">2FA: </span>
                  <span
                    className={
                      twoFactor
                        ? 'before:mr-2 before:inline-block before:size-2 before:rounded-full before:bg-success-dot'
                        : 'text-muted before:mr-2 before:inline-block before:size-2 before:rounded-full before:border before:border-control'
                    }
                  >
                    {twoFactor === 'app' && <span className="sm:hidden">App</span>}
                    <span className={twoFactor === 'app' ? 'max-sm:hidden' : ''}>
                      {twoFactor ? factorNames[twoFactor] : 'Off'}
                    </span>
                  </span>
                </Cell>
                <Cell muted className="sm:max-md:hidden">
                  {lastActiveAt ? (
                    <>
                      <span className="sm:hidden">Active: </span>
                      <Time at={lastActiveAt} />
                    </>
                  ) : (
                    'Not signed in'
                  )}
                </Cell>
                <Cell numeric>
                  <RowMenu
                    href={href}
                    label={`Actions for ${name}`}
                    items={() => itemsOf(member)}
                    className="row-actions max-sm:w-8"
                  >
                    <Ellipsis />
                  </RowMenu>
                </Cell>
              </Row>
            )
          })}
        </Table>
      </div>
      <MemberDialog
        asked={asked}
        manage={manage}
        onClose={() => setAsked(undefined)}
        onDone={() => setSelected(new Set())}
      />
    </>
  )
}

/** Shows the number of selected members and the actions for them. Shows nothing if no member is selected. */
function SelectionBar({
  count,
  onClear,
  onChange,
  onRemove,
}: {
  count: number
  onClear: () => void
  onChange: () => void
  onRemove: () => void
}) {
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && `${counted(count, 'member', 'members')} selected`}
      </p>
      {count > 0 && (
        <div className="sticky top-0 z-20 flex flex-wrap items-center gap-2 border-b bg-accent-soft px-4 py-1.5 text-[13px]">
          <span className="mr-2 font-medium tabular-nums">{count} selected</span>
          <Button size="small" onClick={onChange}>
            Change role…
          </Button>
          <Button size="small" variant="danger-quiet" onClick={onRemove}>
            Remove…
          </Button>
          <Button size="small" variant="quiet" className="ml-auto" onClick={onClear}>
            Clear
          </Button>
        </div>
      )}
    </>
  )
}
