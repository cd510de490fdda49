import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { sayIn } from '@/lib/base/language/say'
import { Publisher } from './publisher'
import type { ConsentApp } from './types'

const said = (app: Omit<ConsentApp, 'id' | 'name' | 'profile'>) =>
  renderToStaticMarkup(<Publisher say={sayIn('en')} app={app} />).replace(/<[^>]+>/g, '')

it('the publisher line shows for every kind of app whether the publisher is verified', () => {
  expect(said({})).toContain('We don’t know who made this')
  expect(said({ documentHost: 'agent.example' })).toBe(
    'We haven’t verified who made thisThe app’s details come from agent.example.',
  )
  expect(said({ workspaceName: 'Acme' })).toBe('Made by Acme, not verified')
  expect(said({ workspaceName: 'Acme', verified: true })).toBe('Made by Acme, verified')
  expect(said({ workspaceName: 'Acme', domain: 'acme.example' })).toBe(
    'Made by Acme, not verifiedVerified domain: acme.example',
  )
  expect(said({ domain: 'acme.example' })).not.toContain('acme.example')
})
