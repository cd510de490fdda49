import { parse } from 'node:querystring'
import { describe, expect, it } from 'vitest'
import type { Form } from '../plain/peek-form'
import { toPlainForm } from './plain-form'

const refresh = 'grant_type=refresh_token&client_id=app&refresh_token=lk_rt_1'
const code =
  'grant_type=authorization_code&client_id=app&code=lk_ac_1&code_verifier=v&redirect_uri=https%3A%2F%2Fa.example%2Fcb'

const read = (body: string) => toPlainForm(parse(body) as Form)

describe('toPlainForm', () => {
  it('reads the two plain forms, in any order', () => {
    const form = { clientId: 'app', credential: 'lk_rt_1', redemption: undefined }
    expect(read(refresh)).toEqual(form)
    expect(read(refresh.split('&').reverse().join('&'))).toEqual(form)
    expect(read(code)).toEqual({
      clientId: 'app',
      credential: 'lk_ac_1',
      redemption: { redirectUri: 'https://a.example/cb', verifier: 'v' },
    })
  })

  it.each([
    ['nothing', ''],
    ['a field more', `${refresh}&scope=openid`],
    ['a field less', 'grant_type=refresh_token&refresh_token=lk_rt_1'],
    ['a field without a value', refresh.replace('=app', '=')],
    ['a field that is no pair', refresh.replace('=app', '')],
    ['a secret', `${refresh}&client_secret=s`],
    ['another grant type', refresh.replace('=refresh_token', '=password')],
    ['the fields of the other grant', code.replace('authorization_code', 'refresh_token')],
    ['a plus', refresh.replace('lk_rt_1', 'lk+rt')],
    ['a space', refresh.replace('lk_rt_1', 'lk%20rt')],
    ['a NUL', refresh.replace('lk_rt_1', 'lk%00rt')],
    ['half a character', refresh.replace('lk_rt_1', 'lk%ff')],
    ['a letter beyond ASCII', refresh.replace('app', '\u00e9')],
    ['a name of the prototype', refresh.replace('client_id', '__proto__')],
  ])('leaves aside %s', (_, body) => {
    expect(read(body)).toBeUndefined()
  })
})
