import { expect, it } from 'vitest'
import { allScopes } from '@/lib/policy/scopes'
import { grantedSentence, type ListedAuthorization } from './app-summary'
import { shownAuthorization } from './authorization-list'

it('pages about authorized apps contain only the fields that they show, not the settings of an API', () => {
  const scope = { name: 'builds:read', description: 'Read builds', sensitivity: 'LOW' }
  const shown: ListedAuthorization = {
    id: 'a',
    scopes: ['openid'],
    createdAt: new Date(0),
    lastUsedAt: null,
    app: {
      id: 'c',
      name: 'Planner',
      logoUrl: null,
      logoDarkUrl: null,
      workspaceName: 'Acme',
      verified: false,
    },
    workspaces: [{ id: 'w', name: 'Acme', note: 'Limited' }],
    projects: [{ id: 'p', name: 'Atlas', workspaceName: 'Acme' }],
    apis: [{ api: { id: 'api', name: 'Builds' }, scopes: [scope] }],
  }
  const read = {
    ...shown,
    app: { ...shown.app, workspaceId: 'w', homepageUrl: 'https://planner.example' },
    projects: shown.projects.map((each) => ({ ...each, workspaceId: 'w' })),
    apis: [
      {
        api: { id: 'api', name: 'Builds', eventsUrl: 'https://10.0.0.5/?key=1', scopes: [scope] },
        scopes: [{ ...scope, selects: 'PROJECTS' }],
      },
    ],
  }
  expect(shownAuthorization(read)).toEqual(shown)
})

it('granted scopes refer to the workspaces and projects that the user already selected', () => {
  expect(grantedSentence('project:member')).toBe('Read and write the projects you selected')
  expect(grantedSentence('email')).toBe('See your email address')
  for (const scope of allScopes) expect(grantedSentence(scope), scope).not.toContain('you choose')
})
