import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkAgainstOpenApi } from '@/lib/testing/check-against-openapi'
import { docsNavigation } from './navigation'
import { errorAnswerSnippet } from './snippets/values'

describe('the documentation', () => {
  it('has a page for every navigation entry', () => {
    for (const { href } of docsNavigation.flatMap((group) => group.pages))
      expect(existsSync(`app${href}/page.tsx`), href).toBe(true)
  })

  it('shows an example error response that matches the OpenAPI document', () => {
    const headers = new Headers({ 'content-type': 'application/json', 'x-trace-id': 'x' })
    const answer = { method: 'POST', path: '/graphql/v2', status: 200, headers, body: errorAnswerSnippet() }
    expect(() => checkAgainstOpenApi(answer)).not.toThrow()
  })
})
