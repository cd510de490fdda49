import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { sendRaw } from '@/lib/testing/raw-request'
import { metadataRoute, mount, routes } from '../protocol/routes'

await startOAuthServer()

const endpoints = [...Object.values(routes), `${routes.end_session}/confirm`, metadataRoute]
const capital = (path: string) => path.replace(/[a-z]/, (letter) => letter.toUpperCase())

/** Addresses that the engine's router would take for an endpoint, or a careless one of ours. */
const spellings = (path: string): string[] => [
  ...[path.toUpperCase(), capital(path), `${path}//`, `/${path}`, path.replace(/\/(?=[^/]*$)/, '//')],
  ...[`${path}/abc/def`, `${path}%2f`, `${path};a=b`, `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`],
]

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function expectNothing(spelling: string): Promise<void> {
  for (const method of methods) {
    const request = { method, path: mount + spelling, headers: form }
    const { status, headers, body } = await sendRaw(config().BASE_URL, request)
    expect([method, spelling, status]).toEqual([method, spelling, 404])
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(headers['set-cookie']).toBeUndefined()
    if (method !== 'HEAD') expect(JSON.parse(body)).toMatchObject({ error: 'invalid_request' })
  }
}

describe('m1: no other spelling of an address reaches the engine or its own pages', () => {
  it.each(endpoints)('%s', async (path) => {
    for (const spelling of spellings(path)) await expectNothing(spelling)
  })

  it.each(['/AUTH/x', '/auth//x', '/Register/x', '/register//x', '/device/x', '/DEVICE/abc', '/', ''])(
    'nor %s',
    (path) => expectNothing(path),
  )

  it.each(['GET', 'POST', 'HEAD'])('%s where codes were typed leads to our own page', async (method) => {
    for (const path of ['/oauth/device', '/oauth/device/']) {
      const { status, headers } = await sendRaw(config().BASE_URL, {
        method,
        path: `${path}?user_code=A`,
        headers: form,
      })
      expect([status, headers.location]).toEqual([302, '/device?user_code=A'])
    }
  })
})

it.each(['TRACE', 'PROPFIND', 'QUERY'])('m3: %s is a 405 at every endpoint', async (method) => {
  for (const path of [
    ...endpoints.map((each) => mount + each),
    '/oauth/.well-known/oauth-authorization-server',
    '/graphql/v2',
  ]) {
    const { status, headers } = await sendRaw(config().BASE_URL, { method, path })
    expect([path, status]).toEqual([path, 405])
    expect(headers.allow).toBeTruthy()
  }
})
