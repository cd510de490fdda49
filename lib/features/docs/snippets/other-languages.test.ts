import { expect, it } from 'vitest'
import { goSnippet, phpSnippet, pythonSnippet, rustSnippet } from './languages'
import { placeholders } from './values'
import { authJsSnippet } from './web-app'

const values = { ...placeholders, baseUrl: 'https://id.example.com' }

it.each([
  ['Python', pythonSnippet],
  ['Go', goSnippet],
])(
  'the %s program contains the reader’s values, and all string literals are closed correctly',
  (_language, snippet) => {
    expect(snippet(values)).toContain('"https://id.example.com/oauth')
    expect(snippet(values)).toContain('"YOUR_CLIENT_ID"')
    const redirectUri = 'https://app.example.com/"\n+os.exit()'
    expect(snippet({ ...values, redirectUri })).toContain('"https://app.example.com/\\"\\n+os.exit()"')
  },
)

it.each([
  ['Auth.js', authJsSnippet, "'"],
  ['PHP', phpSnippet, "'"],
  ['Rust', rustSnippet, '"'],
])(
  'the %s program contains the reader’s values, and no value ends a string literal early',
  (_language, snippet, quote) => {
    expect(snippet(values)).toContain(`${quote}https://id.example.com/oauth${quote}`)
    expect(snippet({ ...values, clientId: `a${quote}b` })).toContain(`a\\${quote}b`)
  },
)
