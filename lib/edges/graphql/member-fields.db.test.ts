import { describe, expect, it } from 'vitest'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** The data about other users that apps can read (ADR 0018). */
const api = serveGraphQL()

describe('members', () => {
  it('are visible by name to apps in selected workspaces, and by email address to apps with workspace:admin', async () => {
    const [user, other] = [await makeUser(), await makeUser()]
    const workspace = await makeWorkspace([
      [user, 'ADMIN'],
      [other, 'MEMBER'],
    ])
    const project = await makeProject(workspace, [
      [user, 'ADMIN'],
      [other, 'MEMBER'],
    ])
    const fields = 'members { id name email avatar }'
    const ofWorkspace = `{ workspace(workspaceId: "${workspace.id}") { ${fields} } }`
    const ofProject = `{ project(id: "${project.id}") { ${fields} } }`
    type Member = { id: string; name: string | null; email: string | null }
    /** Returns the fields that an app can read about the user who authorized it and about another user. */
    const read = async (scopes: string[], shared: object, query: string) => {
      const { token } = await makeAccessToken(user, ['openid', ...scopes], shared)
      const { data, errors } = await api.execute(token, query)
      const members = (data.workspace ?? data.project).members as Member[]
      const seen = (who: { id: string }) => {
        const found = members.find(({ id }) => id === who.id)
        return [found?.name === null ? '-' : 'name', found?.email === null ? '-' : 'email'].join(' ')
      }
      const codes = (errors ?? []).map((error: { extensions: Record<string, unknown> }) =>
        String(error.extensions.requiredScope ?? error.extensions.code),
      )
      return [seen(user), seen(other), [...new Set(codes)].sort().join(' ')]
    }
    const whole = { workspaces: [workspace] }
    expect(await read(['workspace:viewer'], whole, ofWorkspace)).toEqual([
      'name -',
      'name -',
      'workspace:admin',
    ])
    expect(await read(['workspace:viewer', 'email', 'profile'], whole, ofWorkspace)).toEqual([
      'name email',
      'name -',
      'workspace:admin',
    ])
    expect(await read(['workspace:admin'], whole, ofWorkspace)).toEqual(['name email', 'name email', ''])
    expect(await read(['workspace:admin'], whole, ofProject)).toEqual(['name email', 'name email', ''])
    const alone = { projects: [project] }
    const inProject = ['project:admin', 'email', 'profile']
    expect(await read(inProject, alone, ofProject)).toEqual([
      'name email',
      '- -',
      'workspace:admin workspace:viewer',
    ])
    const elsewhere = { workspaces: [await makeWorkspace([[user, 'ADMIN']])], projects: [project] }
    expect(await read(['workspace:admin', 'project:viewer'], elsewhere, ofProject)).toEqual([
      '- -',
      '- -',
      'RESOURCE_NOT_SHARED',
    ])
  })

  it('are not visible by email address to an app whose user is not an admin, even with workspace:admin', async () => {
    const [viewer, other] = [await makeUser(), await makeUser()]
    const workspace = await makeWorkspace([
      [viewer, 'VIEWER'],
      [other, 'ADMIN'],
    ])
    const { token } = await makeAccessToken(viewer, ['workspace:admin'], { workspaces: [workspace] })
    const query = `{ workspace(workspaceId: "${workspace.id}") { members { id name email } } }`
    const { data, errors } = await api.execute(token, query)
    expect(data.workspace.members.map(({ email }: { email: string | null }) => email)).toEqual([null, null])
    expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })
})
