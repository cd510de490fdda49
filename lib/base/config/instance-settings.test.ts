import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkSetting, readConfig } from './env'
import { instanceKeys } from './instance-settings'

const good = { DATABASE_URL: 'postgresql://u:p@db/latchkey', SECRET_KEY: '3f9c1b7e5a2d8046e1c7b39f0d5a6284' }

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'settings-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

const given = (settings: unknown) => ({ ...good, LATCHKEY_SETTINGS: JSON.stringify(settings) })

describe('LATCHKEY_SETTINGS', () => {
  it('accepts JSON or the path of a JSON file', () => {
    const settings = {
      signUp: 'closed',
      sessionDays: 30,
      signUpDomains: ['example.com', '*.Example.org'],
      serviceName: { value: 'Acme', locked: true },
    }
    const expected = {
      signUp: 'closed',
      sessionDays: 30,
      signUpDomains: ['example.com', '*.example.org'],
      serviceName: 'Acme',
      restoreDays: 7,
    }
    expect(readConfig(given(settings))).toMatchObject(expected)
    const file = path.join(folder, 'settings.json')
    fs.writeFileSync(file, JSON.stringify(settings, null, 2))
    expect(readConfig({ ...good, LATCHKEY_SETTINGS: file })).toMatchObject(expected)
  })

  it('sets defaults that can be changed in the console unless they are locked', () => {
    const settings = { signUp: { value: 'closed', locked: true }, sessionDays: 30, restoreDays: { value: 3 } }
    expect(readConfig(given(settings), { signUp: 'open', sessionDays: '5' })).toMatchObject({
      signUp: 'closed',
      sessionDays: 5,
      restoreDays: 3,
    })
  })

  it('takes effect for a setting whose console value is no longer valid', () => {
    expect(readConfig(given({ sessionDays: 30 }), { sessionDays: 'a fortnight', gone: '1' })).toMatchObject({
      sessionDays: 30,
    })
  })

  it.each<[settings: unknown, sentence: string]>([
    [
      { signup: 'closed' },
      'LATCHKEY_SETTINGS: "signup" is not a setting; the settings are signUp, signUpDomains,',
    ],
    [{ SIGN_UP: 'closed' }, 'LATCHKEY_SETTINGS: "SIGN_UP" is not a setting; the settings are signUp,'],
    [{ requireApproval: 'all' }, '"requireApproval" is not a setting'],
    [{ constructor: 'x' }, '"constructor" is not a setting'],
    [{ signUp: 'hunter2' }, 'LATCHKEY_SETTINGS: signUp must be open, domains, invitation or closed.'],
    [{ signUp: true }, 'LATCHKEY_SETTINGS: signUp must be a string.'],
    [{ sessionDays: '30' }, 'LATCHKEY_SETTINGS: sessionDays must be a number, without quotation marks.'],
    [{ sessionDays: 0 }, 'LATCHKEY_SETTINGS: sessionDays must be a number between 1 and 365.'],
    [{ signUpDomains: 'example.com' }, 'LATCHKEY_SETTINGS: signUpDomains must be a list of strings'],
    [{ signUpDomains: ['a.com,hunter2'] }, 'LATCHKEY_SETTINGS: signUpDomains must be a list of strings'],
    [{ signUpDomains: ['https://hunter2'] }, 'LATCHKEY_SETTINGS: signUpDomains must be hosts such as'],
    [{ registeredAppScopes: ['hunter2'] }, 'LATCHKEY_SETTINGS: registeredAppScopes must list some of openid'],
    [
      { serviceName: { locked: true } },
      'LATCHKEY_SETTINGS: serviceName must be a value, or an object with "value"',
    ],
    [{ serviceName: { value: 'A', lock: true } }, 'serviceName must be a value, or an object'],
    [{ serviceName: { value: 'A', locked: 'yes' } }, 'serviceName must be a value, or an object'],
    [{ serviceName: null }, 'LATCHKEY_SETTINGS: serviceName must be a string.'],
    [{ accentColor: 'hunter2' }, 'LATCHKEY_SETTINGS: accentColor must be a color such as #4f46e5.'],
    [['signUp'], 'LATCHKEY_SETTINGS must be JSON, or the path of a JSON file'],
  ])(
    'is rejected with an error that identifies the problem but omits the value: %j',
    (settings, sentence) => {
      expect(() => readConfig(given(settings))).toThrow(sentence)
      expect(() => readConfig(given(settings))).not.toThrow('hunter2')
    },
  )

  it.each([
    ['{"signUp": hunter2}', 'LATCHKEY_SETTINGS must be valid JSON'],
    ['/nowhere/hunter2.json', 'the file cannot be read (ENOENT).'],
  ])('is rejected if it cannot be read: %s', (LATCHKEY_SETTINGS, sentence) => {
    expect(() => readConfig({ ...good, LATCHKEY_SETTINGS })).toThrow(sentence)
    expect(() => readConfig({ ...good, LATCHKEY_SETTINGS })).not.toThrow('hunter2')
  })

  it('is rejected if its file does not contain an object', () => {
    const file = path.join(folder, 'list.json')
    fs.writeFileSync(file, '["signUp"]')
    expect(() => readConfig({ ...good, LATCHKEY_SETTINGS: file })).toThrow(
      'LATCHKEY_SETTINGS must be a JSON object, such as {"signUp": "closed"}.',
    )
  })

  it.each([
    ['REQUIRE_TWO_FACTOR', 'requireTwoFactor', 'all'],
    ['WORKSPACE_APPS', 'workspaceApps', 'own'],
  ])('cannot contain a setting that the variable %s also sets', (name, key, value) => {
    expect(readConfig({ ...good, [name]: value }, { [key]: 'none' })).toMatchObject({ [key]: value })
    expect(() => readConfig({ ...given({ [key]: value }), [name]: value })).toThrow(
      `${name} is set, and LATCHKEY_SETTINGS also contains ${key}. Remove one of them.`,
    )
  })
})

describe('every instance setting', () => {
  it.each<[string, string[], string[]]>([
    ['serviceName', ['Acme ID'], ['n'.repeat(61)]],
    ['accentColor', ['#4f46e5'], ['red']],
    [
      'logoUrl',
      [
        '/logo.svg',
        'https://example.com/logo.png',
        'https://BÜCHER.example:8443/a;b',
        'https://[::1]/x',
        'data:image/svg+xml;base64,PHN2Zy8+',
      ],
      ['foo', 'http://example.com/logo.svg', 'https://a;sandbox/x', 'javascript:alert(1)'],
    ],
    ['logoDarkUrl', ['/logo.svg'], ['https://a,b/x']],
    ['oidcName', ['Acme'], ['two\nlines']],
    ['helpUrl', ['/docs#help'], ['javascript:alert(1)']],
    ['termsUrl', ['https://example.com/terms'], ['//evil.example.com', '/\\evil.example.com']],
    ['privacyUrl', ['/'], ['example.com/privacy', 'https://']],
    ['mailWelcome', ['Welcome.\nBye.'], ['w'.repeat(601)]],
    ['mailFooter', ['Acme Inc.'], ['bell \u0007']],
    ['signUp', ['invitation'], ['everyone']],
    ['signUpDomains', ['example.com, *.example.org'], ['example.com;example.org']],
    ['signUpConfirm', ['first'], ['never']],
    ['requireTwoFactor', ['none', 'instance-admins', 'all'], ['nobody', 'operators', 'everybody']],
    ['sessionDays', ['1', '365'], ['0', '366', '1.5']],
    ['refreshTokenDays', ['3650'], ['3651']],
    ['dynamicRegistration', ['approval'], ['yes']],
    ['metadataDocuments', ['hosts'], ['yes']],
    ['metadataDocumentHosts', ['claude.ai'], ['https://example.com']],
    ['registeredAppScopes', ['email profile'], ['superuser']],
    ['workspaceApps', ['open', 'approved', 'own'], ['everybody']],
    ['restoreDays', ['0'], ['91']],
  ])(
    'accepts valid values, and rejects invalid values with a message that starts with “must”: %s',
    (key, right, wrong) => {
      expect(instanceKeys).toContain(key)
      for (const value of right) expect(checkSetting(key, value), value).toBeUndefined()
      for (const value of wrong) {
        const problem = checkSetting(key, value)
        expect(problem, value).toMatch(/^must /)
        expect(problem).not.toMatch(/invalid|expected|received|too (small|big)/i)
        expect(problem).not.toContain(value)
      }
    },
  )
})
