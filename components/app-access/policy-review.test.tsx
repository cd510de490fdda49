import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { PolicyReview } from './policy-review'

const planner = { id: 'a', name: 'Planner', users: 0, names: [], loses: 'a part' as const }

const drawn = (losses: Parameters<typeof PolicyReview>[0]['losses']) =>
  renderToStaticMarkup(
    <PolicyReview workspaceId="w" policy="OWN" losses={losses} path="/" action={async (state) => state} />,
  )

it('names only what an app loses', () => {
  const page = drawn([{ ...planner, installed: true, managed: false }])
  expect(page).toContain('loses a part: its installation<')
  expect(page).toContain('Change policy')
})

it('states that no app loses access only if none does', () => {
  expect(drawn([])).toContain('No app loses access.')
  expect(drawn([])).toContain('Change policy')
  const unknown = drawn(null)
  expect(unknown).not.toContain('No app loses access.')
  expect(unknown).toContain('too many apps to list which of them lose access')
  expect(unknown).toContain('Change policy')
})
