import { expect, it } from 'vitest'
import { wrongVisibility } from './visibility'

const join = 'SELECT 1 FROM projects p\n LEFT JOIN workspace_members wm ON true'

it.each([
  ['lib/features/projects/list-projects.ts', join],
  ['lib/edges/oauth/engine/interaction-policy.ts', 'EXISTS (SELECT FROM project_members pm)'],
  ['app/account/apps/page.tsx', 'where: { members: { some: { userId } } }'],
])('the visibility check rejects direct queries of memberships in %s', (file, source) => {
  expect(wrongVisibility(file, source)).toEqual([expect.stringContaining('lib/policy/visible.ts')])
})

it.each([
  ['lib/policy/visible.ts', join],
  ['lib/features/workspaces/list-members.ts', join],
  ['lib/features/projects/list-projects.db.test.ts', join],
  ['lib/testing/factories.ts', join],
])('the visibility check accepts direct queries of memberships in %s', (file, source) => {
  expect(wrongVisibility(file, source)).toEqual([])
})

it('the visibility check accepts queries without memberships', () => {
  const source = 'SELECT p.name FROM projects p JOIN workspaces w ON w.id = p.workspace_id'
  expect(wrongVisibility('lib/features/projects/list-projects.ts', source)).toEqual([])
})
