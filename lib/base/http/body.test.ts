import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { isSameOrigin, linesOf, takeForm, textFields } from './body'

it('makes lines of repeated fields, and leaves out NUL, files and what is React’s own', () => {
  const form = new FormData()
  form.append('id', 'a\0b')
  form.append('scope', 'one')
  form.append('scope', 'two')
  form.append('$ACTION_KEY', 'k')
  form.append('logo', new Blob(['x']))
  expect(textFields(form)).toEqual({ id: 'ab', scope: 'one\ntwo' })
})

it('reads the values of a repeated field, also when none was sent', () => {
  expect(linesOf('one\ntwo')).toEqual(['one', 'two'])
  expect([linesOf(''), linesOf(undefined)]).toEqual([[], []])
})

const send = (body: BodyInit, headers: Record<string, string> = {}) =>
  takeForm(
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

describe('a form that a route handler takes', () => {
  it('is read, with a line for each of the fields that share a name', async () => {
    const form = await send('a=1&b=2&a=3')
    expect(form).toEqual({ a: '1\n3', b: '2' })
  })

  it('is taken from our own pages alone', async () => {
    expect(await send('a=1', { origin: 'https://evil.example' })).toMatchObject({ status: 403 })
  })

  it('is refused in the language of whoever sent it', async () => {
    const refused = await send('a=1', { origin: 'https://evil.example', 'accept-language': 'ar' })
    expect(await (refused as Response).text()).toContain('<html lang="ar" dir="rtl">')
    const long = await send('a=1', { 'content-length': '999999999', 'accept-language': 'fr' })
    expect(await (long as Response).text()).toContain('Ce formulaire est trop long')
  })

  it('is empty when it cannot be read', async () => {
    const form = await send('{"a":1}', { 'content-type': 'application/json' })
    expect(form).toEqual({})
  })

  it('is answered 400 when it breaks off', async () => {
    const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    const breaksOff = new ReadableStream({ pull: (controller) => controller.error(aborted) })
    expect(await send(breaksOff)).toMatchObject({ status: 400 })
  })

  it('is answered 413 when it says that it is too long, before it is read', async () => {
    const neverEnds = new ReadableStream({ pull: () => new Promise(() => {}) })
    const answer = (await send(neverEnds, { 'content-length': '9000000' })) as Response
    expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('256 KiB')])
  })

  it('is answered 413 when it is too long without saying so', async () => {
    const chunk = new Uint8Array(64 * 1024)
    const endless = new ReadableStream({ pull: (to) => to.enqueue(chunk) })
    expect(await send(endless)).toMatchObject({ status: 413 })
  })
})

const here = 'https://login.example'
const check = (headers: Record<string, string>) => isSameOrigin(new Headers(headers), here)

describe('isSameOrigin', () => {
  it('takes a form from the configured origin', () => {
    expect(check({ origin: here })).toBe(true)
  })

  it.each(['null', 'https://evil.example', 'http://login.example', 'https://login.example:8443'])(
    'refuses the origin %s, whatever else is sent',
    (origin) => {
      expect(check({ origin, 'sec-fetch-site': 'same-origin', referer: `${here}/login` })).toBe(false)
    },
  )

  it('falls back to Sec-Fetch-Site, then to Referer', () => {
    expect(check({ 'sec-fetch-site': 'same-origin' })).toBe(true)
    expect(check({ 'sec-fetch-site': 'cross-site', referer: `${here}/login` })).toBe(false)
    expect(check({ referer: `${here}/login` })).toBe(true)
    expect(check({ referer: 'https://login.example.evil.example/' })).toBe(false)
  })

  it('refuses a form that says nothing about where it comes from', () => {
    expect(check({})).toBe(false)
  })
})
