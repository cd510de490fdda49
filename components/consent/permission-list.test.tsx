import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { sayIn } from '@/lib/base/language/say'
import type { Scope } from '@/lib/policy/scopes'
import { PermissionList, scopePermissions } from './permission-list'

const say = sayIn('en')

const drawn = (scopes: Scope[], added: Scope[] = []) =>
  renderToStaticMarkup(
    <PermissionList
      say={say}
      app={{ id: 'c', name: 'Planner' } as unknown as Parameters<typeof PermissionList>[0]['app']}
      permissions={scopePermissions(say, scopes, added)}
    />,
  )

describe('the permissions of an app', () => {
  it.each([
    [['workspace:admin'], 'Planner gets full control of what you select'],
    [['workspace:member', 'project:member'], 'Planner can read and change what you select.'],
    [['openid', 'project:viewer'], 'Planner can read what you select, but not change it.'],
  ] as [Scope[], string][])('are summarized in one sentence for the scopes %s', (scopes, sentence) => {
    expect(drawn(scopes)).toContain(sentence)
  })

  it('have no summary if they differ by kind of resource or cover no resource', () => {
    for (const scopes of [
      ['workspace:viewer', 'project:admin'],
      ['openid', 'email'],
    ] as Scope[][]) {
      expect(drawn(scopes)).not.toContain('what you select')
    }
  })

  it('are marked as new only if the list also contains existing permissions', () => {
    expect(drawn(['openid', 'workspace:member'], ['workspace:member'])).toContain('New permission')
    expect(drawn(['openid', 'workspace:member'], ['openid', 'workspace:member'])).not.toContain(
      'New permission',
    )
  })
})
