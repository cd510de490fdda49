import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Publisher } from './publisher'
import type { ConsentApp } from './types'

const said = (app: Omit<ConsentApp, 'name'>) =>
  renderToStaticMarkup(<Publisher app={{ name: 'Sidekick', ...app }} />).replace(/<[^>]+>/g, '')

it('m10: says of every app whether anybody vouches for it', () => {
  expect(said({})).toBe('Registered itself, not verified')
  expect(said({ documentHost: 'agent.example' })).toBe('Described by agent.example, not verified')
  expect(said({ workspaceName: 'Acme' })).toBe('by Acme· Not verified')
  expect(said({ workspaceName: 'Acme', verified: true })).toBe('by AcmeVerified')
})
