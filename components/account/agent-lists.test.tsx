import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ClientList } from './agent-lists'

it('the scrolling box of each client is a region with its own name', () => {
  const client = { words: 'Run this.', copy: { title: 'In a terminal', code: 'run\n' } }
  const html = renderToStaticMarkup(
    <ClientList
      clients={[
        { name: 'Codex', ...client },
        { name: 'Gemini CLI', ...client },
      ]}
    />,
  )
  const names = [...html.matchAll(/<pre[^>]* role="region" aria-label="([^"]*)"/g)].map(([, name]) => name)
  expect(names).toEqual(['Codex: In a terminal', 'Gemini CLI: In a terminal'])
})
