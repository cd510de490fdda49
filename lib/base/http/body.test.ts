import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { isSameOrigin, linesOf, readOwnForm, textFields } from './body'

it('textFields joins repeated fields with line breaks, and omits NUL, files, and React’s own fields', () => {
  const form = new FormData()
  form.append('id', 'a\0b')
  form.append('scope', 'one')
  form.append('scope', 'two')
  form.append('$ACTION_KEY', 'k')
  form.append('logo', new Blob(['x']))
  expect(textFields(form)).toEqual({ id: 'ab', scope: 'one\ntwo' })
})

it('linesOf returns each line of a field as a value, and no values for an empty or missing field', () => {
  expect(linesOf('one\ntwo')).toEqual(['one', 'two'])
  expect(linesOf('one\r\ntwo')).toEqual(['one', 'two'])
  expect([linesOf(''), linesOf(undefined)]).toEqual([[], []])
})

const send = (body: BodyInit, headers: Record<string, string> = {}) =>
  readOwnForm(
    new Request('http://x/', {
      method: 'POST',
      body,
      duplex: 'half',
      headers: {
        origin: config().BASE_URL,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
    } as RequestInit),
  )

describe('readOwnForm', () => {
  it('returns the fields, with a repeated field’s values on separate lines', async () => {
    const form = await send('a=1&b=2&a=3')
    expect(form).toEqual({ a: '1\n3', b: '2' })
  })

  it('responds with 403 to a form from another site', async () => {
    expect(await send('a=1', { origin: 'https://evil.example' })).toMatchObject({ status: 403 })
  })

  it('returns error pages in the user’s language', async () => {
    const refused = await send('a=1', { origin: 'https://evil.example', 'accept-language': 'ar' })
    expect(await (refused as Response).text()).toContain('<html lang="ar" dir="rtl">')
    const long = await send('a=1', { 'content-length': '999999999', 'accept-language': 'fr' })
    expect(await (long as Response).text()).toContain('Ce formulaire est trop long')
  })

  it('returns no fields for a body that cannot be parsed', async () => {
    const form = await send('{"a":1}', { 'content-type': 'application/json' })
    expect(form).toEqual({})
  })

  it('responds with 400 to an incomplete body', async () => {
    const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    const breaksOff = new ReadableStream({ pull: (controller) => controller.error(aborted) })
    expect(await send(breaksOff)).toMatchObject({ status: 400 })
  })

  it('responds with 413 to a Content-Length beyond the limit, without reading the body', async () => {
    const neverEnds = new ReadableStream({ pull: () => new Promise(() => {}) })
    const answer = (await send(neverEnds, { 'content-length': '9000000' })) as Response
    expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('256 KiB')])
  })

  it('responds with 413 to a body that is too long and has no Content-Length', async () => {
    const chunk = new Uint8Array(64 * 1024)
    const endless = new ReadableStream({ pull: (to) => to.enqueue(chunk) })
    expect(await send(endless)).toMatchObject({ status: 413 })
  })
})

const here = 'https://login.example'
const check = (headers: Record<string, string>) => isSameOrigin(new Headers(headers), here)

describe('isSameOrigin', () => {
  it('returns true for a form from the configured origin', () => {
    expect(check({ origin: here })).toBe(true)
  })

  it.each(['null', 'https://evil.example', 'http://login.example', 'https://login.example:8443'])(
    'returns false for the origin %s, regardless of other headers',
    (origin) => {
      expect(check({ origin, 'sec-fetch-site': 'same-origin', referer: `${here}/login` })).toBe(false)
    },
  )

  it('uses Sec-Fetch-Site if Origin is missing, and Referer if both are missing', () => {
    expect(check({ 'sec-fetch-site': 'same-origin' })).toBe(true)
    expect(check({ 'sec-fetch-site': 'cross-site', referer: `${here}/login` })).toBe(false)
    expect(check({ referer: `${here}/login` })).toBe(true)
    expect(check({ referer: 'https://login.example.evil.example/' })).toBe(false)
  })

  it('returns false for a form without Origin, Sec-Fetch-Site, and Referer headers', () => {
    expect(check({})).toBe(false)
  })
})
