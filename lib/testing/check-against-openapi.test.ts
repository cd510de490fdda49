import { describe, expect, it } from 'vitest'
import { checkAgainstOpenApi } from './check-against-openapi'

const token = (changes: Partial<Parameters<typeof checkAgainstOpenApi>[0]> = {}, body: object = {}) => ({
  method: 'POST',
  path: '/oauth/token',
  status: 200,
  headers: new Headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }),
  body: JSON.stringify({
    access_token: 'a',
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'openid',
    ...body,
  }),
  ...changes,
})

describe('checkAgainstOpenApi', () => {
  it('accepts a response that the document describes', () => {
    expect(() => checkAgainstOpenApi(token())).not.toThrow()
  })

  it.each([
    ['a status that is not described', token({ status: 418 }), 'is not described'],
    ['a field of the wrong type', token({}, { expires_in: '3600' }), 'must be integer'],
    ['an undescribed field', token({}, { id: 1 }), 'must NOT have additional properties'],
    [
      'a missing header',
      token({ headers: new Headers({ 'content-type': 'application/json' }) }),
      'cache-control',
    ],
    [
      'another content type',
      token({ headers: new Headers({ 'content-type': 'text/plain', 'cache-control': 'no-store' }) }),
      'text/plain',
    ],
    ['an undescribed endpoint', token({ path: '/oauth/secret' }), 'not in the OpenAPI document'],
  ])('rejects %s', (_what, answer, message) => {
    expect(() => checkAgainstOpenApi(answer)).toThrow(message)
  })

  it('finds the operation for a path with a parameter and a query', () => {
    const answer = {
      method: 'GET',
      path: '/oauth/register/abc?x=1',
      status: 418,
      headers: new Headers(),
      body: '',
    }
    expect(() => checkAgainstOpenApi(answer)).toThrow('GET /oauth/register/{client_id} 418')
  })

  it('ignores pages and 404 responses for operations that the document omits', () => {
    const headers = new Headers({ 'content-type': 'text/html' })
    for (const path of ['/login', '/oauth/device', '/oauth/device/abc'])
      expect(() =>
        checkAgainstOpenApi({ method: 'GET', path, status: 200, headers, body: '<p>' }),
      ).not.toThrow()
    expect(() =>
      checkAgainstOpenApi({ method: 'PATCH', path: '/oauth/token', status: 404, headers, body: '' }),
    ).not.toThrow()
  })
})
