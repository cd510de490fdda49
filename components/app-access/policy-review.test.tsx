import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { PolicyReview } from './policy-review'

const planner = { id: 'a', name: 'Planner', users: 0, names: [], loses: 'a part' as const }

const drawn = (losses: Parameters<typeof PolicyReview>[0]['losses'], users = 0) =>
  renderToStaticMarkup(
    <PolicyReview
      workspaceId="w"
      policy="OWN"
      losses={losses}
      users={users}
      path="/"
      action={async (state) => state}
    />,
  )

it('the policy review names only the access that an app loses', () => {
  const page = drawn([{ ...planner, installed: true, managed: false }])
  expect(page).toContain('1 app loses access')
  expect(page).toContain('>Installation<')
  expect(page).not.toContain('SSO-managed')
  expect(page).toContain('1 app keeps part of its access.')
  expect(page).toContain('Change policy')
})

it('the policy review shows the number of apps and users in the title, and the number of apps on the button', () => {
  const apps = Array.from({ length: 200 }, (_, index) => ({
    ...planner,
    id: String(index),
    users: 2,
    names: ['Ada', 'Grace'],
    loses: 'everything' as const,
    installed: false,
    managed: false,
  }))
  const page = drawn(apps, 203)
  expect(page).toContain('200 apps used by 203 users lose access')
  expect(page).toContain('Block 200 apps')
  expect(page).toContain('Ada and Grace')
})

it('the policy review states that no app loses access only if this is certain', () => {
  expect(drawn([])).toContain('No app loses access.')
  expect(drawn([])).toContain('Change policy')
  const unknown = drawn(null)
  expect(unknown).not.toContain('No app loses access.')
  expect(unknown).toContain('too many apps to list which of them lose access')
  expect(unknown).toContain('Change policy')
})
