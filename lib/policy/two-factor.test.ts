import { afterEach, describe, expect, it } from 'vitest'
import { setChangedSettings } from '@/lib/base/config/env'
import type { Actor, SessionActor } from './actor'
import { authorizeInstance } from './authorize'
import { owesTwoFactor, requireTwoFactor, twoFactorGate } from './two-factor'

const userId = 'a user'
const session = (instanceAdmin: boolean): SessionActor => ({
  kind: 'session',
  userId,
  sessionId: 's',
  instanceAdmin,
})
const given = { scopes: new Set<string>(), workspaceIds: [], projectIds: [], clientId: 'app' }
const actors: Actor[] = [
  session(false),
  session(true),
  { kind: 'account-token', userId, tokenId: 't', role: 'ADMIN' },
  { kind: 'workspace-token', userId, tokenId: 't', workspaceId: 'w', role: 'ADMIN' },
  { kind: 'project-token', userId, tokenId: 't', projectId: 'p', role: 'ADMIN' },
  { kind: 'oauth', userId, authorizationId: 'z', ...given },
]
const settings = ['none', 'instance-admins', 'all']

afterEach(() => setChangedSettings({}))

describe.each(settings)('two-factor authentication with the setting "%s"', (of) => {
  it.each(actors)('is required of a $kind caller only if the setting covers the action', (actor) => {
    setChangedSettings({ requireTwoFactor: of })
    for (const purpose of ['anything', 'operating'] as const) {
      const owed = of === 'all' || (of === 'instance-admins' && purpose === 'operating')
      expect(owesTwoFactor({ ...actor, twoFactor: false } as Actor, purpose)).toBe(owed)
      expect(owesTwoFactor(actor, purpose)).toBe(owed)
      expect(owesTwoFactor({ ...actor, twoFactor: true } as Actor, purpose)).toBe(false)
      if (owed)
        expect(() => requireTwoFactor(actor, purpose)).toThrow(
          expect.objectContaining({
            code: 'TWO_FACTOR_REQUIRED',
            message: expect.stringMatching(/\. \S/),
          }),
        )
    }
  })

  it('is not required of an app installation, which has no user', () => {
    setChangedSettings({ requireTwoFactor: of })
    const installation: Actor = {
      kind: 'installation',
      userId: null,
      appWorkspaceId: null,
      installationId: 'i',
      workspaceId: 'w',
      twoFactor: true,
      ...given,
    }
    expect(owesTwoFactor(installation, 'anything')).toBe(false)
  })

  it('is required for instance admin actions unless the setting is "none", but does not replace the instance admin role', () => {
    setChangedSettings({ requireTwoFactor: of })
    const weak = () => authorizeInstance(session(true))
    if (of === 'none') expect(weak).not.toThrow()
    else expect(weak).toThrow(expect.objectContaining({ code: 'TWO_FACTOR_REQUIRED' }))
    expect(() => authorizeInstance({ ...session(true), twoFactor: true })).not.toThrow()
    expect(() => authorizeInstance({ ...session(false), twoFactor: true })).toThrow(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    )
    expect(() => authorizeInstance(session(false))).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }))
  })
})

it.each([
  [false, ['pwd'], false, 'open'],
  [false, ['pwd'], true, 'open'],
  [true, ['pwd', 'otp', 'mfa'], true, 'open'],
  [true, ['hwk', 'mfa'], true, 'open'],
  [true, ['pwd'], false, 'set-up'],
  [true, ['ext'], false, 'set-up'],
  [true, ['pwd'], true, 'sign-in-again'],
  [true, [], true, 'sign-in-again'],
])(
  'twoFactorGate with requireTwoFactor %s, the session methods %j, and enrolled %s returns "%s"',
  (requireTwoFactor, methods, enrolled, gate) => {
    expect(twoFactorGate({ requireTwoFactor }, { methods }, enrolled)).toBe(gate)
  },
)
