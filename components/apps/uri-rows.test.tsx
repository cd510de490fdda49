import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { removeRow, replaceRowWithLines, UriRows } from './uri-rows'

describe('URI rows', () => {
  it('turn pasted lines into separate rows', () => {
    expect(replaceRowWithLines(['a', '', 'd'], 1, 'b\r\nc')).toEqual(['a', 'b', 'c', 'd'])
  })

  it('keep an empty row when the only row is removed', () => {
    expect(removeRow(['a', 'b'], 0)).toEqual(['b'])
    expect(removeRow(['a'], 0)).toEqual([''])
  })

  it('are submitted as one field with a URI per line, and the row that an error names is marked', () => {
    const html = renderToStaticMarkup(
      <UriRows
        id="redirect-uris"
        label="Redirect URIs"
        name="redirectUris"
        hint="Matched exactly."
        uris={'ftp://b.example/cb\nftp://b.example'}
        error="ftp://b.example uses ftp:, which no app can register."
      />,
    )
    expect(html).toMatch(/<textarea[^>]*name="redirectUris"[^>]*>ftp:\/\/b\.example\/cb\nftp:\/\/b\.example</)
    expect(html.match(/<input[^>]*aria-invalid="true"[^>]*>/g)).toEqual([
      expect.stringContaining('aria-label="Redirect URI 2"'),
    ])
    expect(html).not.toMatch(/<input[^>]*name=/)
  })
})
