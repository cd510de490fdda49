import { expect, it } from 'vitest'
import { highlighted, languageOf } from './code-block'

it.each([
  ['app.mjs', "import x from 'y'", 'javascript', 'keyword'],
  ['main.py', 'import json  # for the answer', 'python', 'comment'],
  ['main.go', 'package main', 'go', 'keyword'],
  ['A request', 'curl https://example.com', 'bash', undefined],
  ['A body', '{"a": "b"}', 'json', 'attr'],
  ['Example of me', 'query { me { id } }', 'graphql', 'keyword'],
])('the language of a code block is detected from its title and code: %s', (title, code, language, kind) => {
  expect(languageOf(title, code)).toBe(language)
  if (kind) expect(highlighted(code, languageOf(title, code))).toContain(`<span class="hljs-${kind}">`)
})

it.each(['javascript', 'json', 'bash', 'xml', 'graphql', 'php'] as const)(
  'a code block escapes markup in %s',
  (language) => {
    const html = highlighted(
      '{"a": "</code><script>alert(1)</script>"} <img src=x onerror=alert(1)>',
      language,
    )
    expect(html?.replaceAll(/<span class="[\w -]+">|<\/span>/g, '')).not.toMatch(/[<>]/)
  },
)

it('a code block in an unknown language is not highlighted', () => {
  expect(languageOf('Response', 'Bad gateway')).toBe('text')
  expect(highlighted('<b>', 'text')).toBeUndefined()
})
