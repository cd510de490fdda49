import { expect, it } from 'vitest'
import { workspaceSettingsPages } from './console-pages'

it('workspaceSettingsPages lists only the pages that a role can open', () => {
  const open = (role: Parameters<typeof workspaceSettingsPages>[1]) =>
    workspaceSettingsPages('/workspaces/acme', role).map(({ href }) => href)
  expect(open('ADMIN')).toEqual([
    '/workspaces/acme/settings',
    '/workspaces/acme/settings/tokens',
    '/workspaces/acme/settings/apps',
    '/workspaces/acme/settings/sso',
    '/workspaces/acme/settings/developer',
    '/workspaces/acme/settings/webhooks',
    '/workspaces/acme/settings/usage',
    '/workspaces/acme/settings/audit-log',
  ])
  expect(open('MEMBER')).toEqual(['/workspaces/acme/settings'])
  expect(open('VIEWER')).toEqual(['/workspaces/acme/settings'])
  expect(open(null)).toEqual([])
})

it('only the settings pages Developer and Audit log use the full width', () => {
  const full = workspaceSettingsPages('/workspaces/acme', 'ADMIN').filter(({ fullWidth }) => fullWidth)
  expect(full.map(({ label }) => label)).toEqual(['Developer', 'Audit log'])
})
