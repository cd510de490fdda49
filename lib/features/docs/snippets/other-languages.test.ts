import { expect, it } from 'vitest'
import { goSnippet } from './go'
import { pythonSnippet } from './python'
import { placeholders } from './values'

const values = { ...placeholders, baseUrl: 'https://id.example.com' }

it.each([
  ['Python', pythonSnippet],
  ['Go', goSnippet],
])(
  'the program in %s holds the reader’s values, and no text ends where it should not',
  (_language, snippet) => {
    expect(snippet(values)).toContain('"https://id.example.com/oauth')
    expect(snippet(values)).toContain('"YOUR_CLIENT_ID"')
    const redirectUri = 'https://app.example.com/"\n+os.exit()'
    expect(snippet({ ...values, redirectUri })).toContain('"https://app.example.com/\\"\\n+os.exit()"')
  },
)
