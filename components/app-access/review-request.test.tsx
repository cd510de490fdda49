import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ReviewRequest } from './review-request'

const requester = (user: string, reason: string) => ({
  userId: user,
  user,
  email: `${user.toLowerCase()}@example.com`,
  avatarUrl: null,
  role: 'MEMBER' as const,
  reason,
  createdAt: new Date('2026-11-25T10:00:00Z'),
})

const limits = {
  offered: ['workspace:admin', 'workspace:member', 'project:viewer'] as const,
  scopes: ['workspace:member'],
  projects: [{ id: '1', name: 'Website' }],
  moreProjects: 0,
  chosen: null,
  endsOn: undefined,
  note: undefined,
}

const drawn = (users: ReturnType<typeof requester>[], total = users.length) =>
  renderToStaticMarkup(
    <ReviewRequest
      name="Planner"
      place={{ id: 'w', clientId: 'c' }}
      requests={users}
      total={total}
      limits={limits}
      notice={null}
      approve={async (state) => state}
      decline={async (state) => state}
    />,
  )

it('a request to approve an app shows the user, the reason, and the requested access above the collapsed limits', () => {
  const page = drawn([requester('Grace', 'For the release on Friday')])
  const order = [
    'Approve</',
    'Grace</bdi>',
    'For the release on Friday',
    'Read and write the workspace',
    '<details',
  ]
  const places = order.map((text) => page.indexOf(text))
  expect(places).toEqual([...places].sort((one, other) => one - other))
  expect(places).not.toContain(-1)
  expect(page).not.toContain('you choose')
})

it('a request to approve an app shows a note if it has no reason, and preselects only the requested scopes', () => {
  const page = drawn([requester('Grace', '')])
  const ticked = [...page.matchAll(/<input[^>]*>/g)]
    .map(([input]) => input)
    .filter((input) => input.includes('checked'))
  expect(ticked).toHaveLength(1)
  expect(ticked[0]).toContain('value="workspace:member"')
  expect(page).toContain('No reason given.')
})

it('a request to approve an app collapses its list of users after the third, and counts the users who were not loaded', () => {
  const users = ['Ada', 'Grace', 'Edsger', 'Barbara'].map((name) => requester(name, ''))
  const page = drawn(users, 30)
  expect(page).toContain('30 requests')
  expect(page).toContain('27 more users')
  expect(page).toContain('And 26 other users.')
})
