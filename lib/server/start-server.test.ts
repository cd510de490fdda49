import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { release } from '@/lib/base/process/release'
import { captureLog } from '@/lib/testing/captured-log'
import { pagesInTurn } from './answer-pages'
import { policyHeader } from './content-security-policy'
import type { NodeHandler } from './dispatch'
import { logStart } from './start-server'

describe('logStart', () => {
  const commit = '430e934b1281aa9febfa73656d51a3d343dd3675'
  const forgetCommit = () =>
    (globalThis as { __latchkey?: Map<string, unknown> }).__latchkey?.delete('commit')

  afterEach(() => {
    vi.unstubAllEnvs()
    forgetCommit()
  })

  it.each([
    [commit, commit],
    ['', 'unknown'],
  ])('logs the version, and the commit "%s" as "%s"', (known, logged) => {
    forgetCommit()
    vi.stubEnv('LATCHKEY_COMMIT', known)
    const captured = captureLog()
    logStart()
    captured.release()
    expect(captured.entries()[0]).toMatchObject({ release, commit: logged, node: process.version })
  })
})

describe('pagesInTurn', () => {
  /** Returns a function that requests a page, and the list of pages that have started to render. */
  function pages() {
    const begun: string[] = []
    const handler: NodeHandler = pagesInTurn((req) => void begun.push(req.url as string))
    const ask = (url: string, headers: Record<string, string> = { [policyHeader]: 'a policy' }) => {
      const req = Object.assign(new IncomingMessage(new Socket()), { url, headers })
      const res = new ServerResponse(req)
      void handler(req, res)
      return res
    }
    return { begun, ask }
  }

  /** Waits until all pending promise callbacks have run. */
  const settle = async () => {
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }

  it('renders pages one after the other in order of arrival', async () => {
    const { begun, ask } = pages()
    const [one, two] = ['/one', '/two', '/three'].map((url) => ask(url)) as [ServerResponse, ServerResponse]
    await settle()
    expect(begun).toEqual(['/one'])
    one.emit('close')
    await settle()
    expect(begun).toEqual(['/one', '/two'])
    two.emit('close')
    await settle()
    expect(begun).toEqual(['/one', '/two', '/three'])
  })

  it('renders the next page while a page that has started is waiting', async () => {
    const { begun, ask } = pages()
    for (const url of ['/slow', '/two', '/three']) ask(url)
    await vi.waitFor(() => expect(begun).toEqual(['/slow', '/two', '/three']), 10_000)
  })

  it('renders the next page after the maximum time, even if the event loop is never idle', async () => {
    const { begun, ask } = pages()
    for (const url of ['/slow', '/two']) ask(url)
    while (begun.length < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(begun).toEqual(['/slow', '/two'])
  })

  it('skips the pages of clients that have disconnected', async () => {
    const { begun, ask } = pages()
    const [one, two] = ['/one', '/two', '/three'].map((url) => ask(url)) as [ServerResponse, ServerResponse]
    two.destroy()
    one.emit('close')
    await settle()
    expect(begun).toEqual(['/one', '/three'])
  })

  it('does not delay requests that are not for pages', async () => {
    const { begun, ask } = pages()
    ask('/one')
    ask('/_next/static/a.js', {})
    await settle()
    expect(begun).toEqual(['/one', '/_next/static/a.js'])
  })
})
