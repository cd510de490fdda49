import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { type ListedMember, MemberTable } from './member-table'

const never = () => Promise.reject(new Error('the form is not sent'))
const cellsOf = (lastActiveAt: Date | null) => {
  const member: ListedMember = {
    id: '1',
    name: 'Grace',
    email: 'grace@example.com',
    avatarUrl: null,
    role: 'MEMBER',
    createdAt: new Date('2026-03-04T05:06:07Z'),
    twoFactor: null,
    lastActiveAt,
  }
  const manage = {
    workspaceId: 'w',
    workspaceName: 'Acme',
    path: '/workspaces/acme/members',
    logHref: '/workspaces/acme/settings/audit-log',
    order: { column: 'name' as const, descending: false },
    kept: {},
    change: never,
    remove: never,
  }
  const html = renderToStaticMarkup(<MemberTable members={[member]} you="2" manage={manage} />)
  return html.match(/<td.*?<\/td>/gs) ?? []
}

it('the members table names the values of a row that has no column names on a phone', () => {
  const cells = cellsOf(new Date('2026-03-04T05:06:07Z'))
  expect(cells[3]).toContain('sm:hidden">2FA: </span>')
  expect(cells[4]).toContain('<span class="sm:hidden">Active: </span><time')
  expect(cellsOf(null)[4]).toContain('>Not signed in</td>')
})
