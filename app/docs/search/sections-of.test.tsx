import { expect, it } from 'vitest'
import { ExplanationList, FactsTable } from '@/components/docs/facts-table'
import { Bullets, Code, DocsArticle, DocsSection, Fold, P } from '@/components/docs/prose'
import { sectionsOf } from './sections-of'

it('separates the blocks of a section, and does not repeat the headings of its entries', () => {
  const page = (
    <DocsArticle title="Tokens" lead="Token types and lifetimes.">
      <DocsSection id="kinds" title="Kinds">
        <P>
          Send <Code>scope</Code>, then <strong>wait</strong>.
        </P>
        <Bullets>
          <li>First</li>
          <li>Second</li>
        </Bullets>
        <FactsTable
          caption="Lifetimes"
          columns={['Token', 'Lifetime', 'Use']}
          rows={[{ id: 'access', cells: ['Access token', 'One hour', <P key="use">Calls the API.</P>] }]}
        />
        <ExplanationList
          entries={[{ code: 'invalid_grant', where: '/oauth/token', cause: 'It expired.', mend: 'Sign in.' }]}
        />
      </DocsSection>
    </DocsArticle>
  )
  expect(sectionsOf(page)).toEqual([
    { heading: '', text: 'Token types and lifetimes.' },
    { id: 'kinds', heading: 'Kinds', text: 'Send scope, then wait. First · Second' },
    { id: 'access', heading: 'Access token', text: 'One hour · Calls the API.' },
    {
      id: 'invalid_grant',
      heading: 'invalid_grant',
      text: '/oauth/token · It expired. What to do: Sign in.',
    },
  ])
})

it('adds the entries of a closed part to the text of the section', () => {
  const page = (
    <DocsArticle title="Limits" lead="Points.">
      <DocsSection id="points" title="Points">
        <Fold title="Other lists">
          <FactsTable
            caption="Other lists"
            columns={['List', 'Rows']}
            rows={[{ id: 'user-workspaces', cells: [<Code key="list">User.workspaces</Code>, '2'] }]}
          />
        </Fold>
      </DocsSection>
    </DocsArticle>
  )
  expect(sectionsOf(page)).toEqual([
    { heading: '', text: 'Points.' },
    { id: 'points', heading: 'Points', text: 'Other lists · User.workspaces · 2' },
  ])
})
