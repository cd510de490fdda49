import { afterEach, describe, expect, it } from 'vitest'
import { setChangedSettings } from '@/lib/base/config/env'
import { isIrreversible, sensitiveOperations } from './approvals'

describe('isIrreversible', () => {
  afterEach(() => setChangedSettings({}))

  it.each([
    'environmentDelete',
    'oauthAppDelete',
    'oauthAppSecretDelete',
    'projectTokenDelete',
    'sshPublicKeyDelete',
    'variableDelete',
    'webhookDelete',
    'workspaceDelete',
    'workspaceTokenDelete',
  ])('returns true for %s', (name) => {
    expect(sensitiveOperations).toContain(name)
    expect(isIrreversible(name)).toBe(true)
  })

  it.each(['projectDelete', 'projectScheduleDelete'])(
    'returns true for %s only if deleted projects cannot be restored',
    (name) => {
      expect(sensitiveOperations).toContain(name)
      setChangedSettings({ restoreDays: '1' })
      expect(isIrreversible(name)).toBe(false)
      setChangedSettings({ restoreDays: '0' })
      expect(isIrreversible(name)).toBe(true)
    },
  )

  it.each(['projectRestore', 'projectTransfer', 'variableUpsert', 'unknown', 'constructor'])(
    'returns false for %s',
    (name) => expect(isIrreversible(name)).toBe(false),
  )
})
