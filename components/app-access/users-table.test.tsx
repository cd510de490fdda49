import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { AppUsersTable } from './users-table'

const user = {
  id: '1',
  name: 'Grace',
  scopes: ['openid', 'workspace:viewer', 'project:member'],
  whole: true,
  projects: [{ id: 'p', name: 'Website' }],
  since: new Date('2026-03-04T05:06:07Z'),
  lastUsedAt: null,
}

it('the table of an app’s users shows the access, its scopes as text, and the selected resources', () => {
  const html = renderToStaticMarkup(<AppUsersTable users={[user]} />)
  expect(html).toContain('Workspace: read · Projects: read and write')
  expect(html).toContain('>workspace:viewer, project:member</span>')
  expect(html).toContain('>The workspace, Website</td>')
})
