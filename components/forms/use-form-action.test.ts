import { readdirSync, readFileSync } from 'node:fs'
import { UnrecognizedActionError } from 'next/dist/client/components/unrecognized-action-error'
import { afterEach, describe, expect, it, vi } from 'vitest'
import english from '@/lib/base/language/messages/shared/en.json'
import { type FormState, untouched } from '@/lib/edges/web/forms/form-state'
import { attempt, failureOf } from './use-form-action'

const say = Object.assign(
  (key: keyof typeof english, values: Record<string, string | number> = {}) =>
    english[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name])),
  { language: 'en' as const },
)

const rejected: FormState = { turn: 3, fields: { name: 'Enter a name.' }, values: { name: '' } }
const failing = (error: unknown) => async () => Promise.reject(error)
const run = (error: unknown, previous: FormState = rejected) =>
  attempt(failing(error), previous, new FormData(), say)

afterEach(() => vi.unstubAllGlobals())

describe('the reason for a failed request', () => {
  it('is the missing network connection if the browser is offline, regardless of the error', () => {
    expect(failureOf(new TypeError('Failed to fetch'), false)).toBe('offline')
    expect(failureOf(new Error('An unexpected response was received from the server.'), false)).toBe(
      'offline',
    )
  })

  it('distinguishes a lost connection, an unusable response, and a server error', () => {
    expect(failureOf(new TypeError('Failed to fetch'), true)).toBe('unreachable')
    expect(failureOf(new Error('An unexpected response was received from the server.'), true)).toBe(
      'unavailable',
    )
    expect(failureOf(Object.assign(new Error('hidden'), { digest: '1234' }), true)).toBe('broken')
  })

  it('is a new release if the server no longer has the action', () => {
    expect(failureOf(new UnrecognizedActionError('not found'), true)).toBe('updated')
  })
})

describe('submitting a form', () => {
  it('keeps its errors and values and shows what happened if the request fails', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    expect(await run(new TypeError('Failed to fetch'))).toEqual({
      ...rejected,
      failure: 'offline',
      message: 'You’re offline. Your changes are still here.',
    })
  })

  it('shows the reference of a failure only if the server returned a reference', async () => {
    vi.stubGlobal('navigator', { onLine: true })
    expect((await run(Object.assign(new Error(), { digest: '1234' }))).message).toMatch(/Reference: 1234$/)
    expect((await run(new Error('bad gateway'))).message).not.toMatch(/reference/i)
  })

  it('passes on Next’s redirects', async () => {
    vi.stubGlobal('navigator', { onLine: true })
    const redirect = Object.assign(new Error('NEXT_REDIRECT'), {
      digest: 'NEXT_REDIRECT;push;/projects;303;',
    })
    await expect(run(redirect)).rejects.toBe(redirect)
  })

  it('keeps its state and asks the user to sign in if the session has ended', async () => {
    const ended = async (previous: FormState) => ({ ...previous, failure: 'signedOut' as const })
    const next = await attempt(ended, rejected, new FormData(), say)
    expect(next).toMatchObject({ ...rejected, failure: 'signedOut' })
    expect(next.message).toMatch(/Sign in in a new tab/)
  })

  it('clears the failure of the previous attempt', async () => {
    const seen: FormState[] = []
    const action = async (previous: FormState): Promise<FormState> => {
      seen.push(previous)
      return { ...untouched, turn: previous.turn + 1, result: true }
    }
    const failed: FormState = { ...rejected, failure: 'offline', message: 'You’re offline.' }
    expect(await attempt(action, failed, new FormData(), say)).toEqual({
      ...untouched,
      turn: 4,
      result: true,
    })
    expect(seen).toEqual([rejected])
  })
})

it('only action-button.tsx calls useActionState directly, because elsewhere a failed request would replace the page', () => {
  const files = ['app', 'components'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  const direct = files.filter(
    (file) => file.endsWith('.tsx') && readFileSync(file, 'utf8').includes('useActionState('),
  )
  expect(direct).toEqual(['components/forms/action-button.tsx'])
})
