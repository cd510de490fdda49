import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { AppHistory } from '../instance-admin/operated-app'
import { ActionText } from './event-text'
import { actionText } from './event-words'

const said = (page: React.ReactElement) => renderToStaticMarkup(page).replace(/<[^>]+>/g, '')

it('an event’s sentence contains the name of the subject', () => {
  const sentence = (action: string) => said(<ActionText words={actionText(action)}>Planner</ActionText>)
  expect(sentence('app.revoked_for_everyone')).toBe('revoked all access of the app Planner')
  expect(sentence('authorization.revoked_after_token_reuse')).toBe(
    'revoked the access of Planner because a token was reused',
  )
  expect(sentence('oauth_app.disabled')).toBe('disabled the OAuth app Planner')
  expect(said(<ActionText words="added a secret to" capital />)).toMatch(/^Added a secret to/)
})

it('an app’s history of decisions names the app', () => {
  const event = { id: '1', user: 'Ada', details: null, createdAt: new Date() }
  const events = [{ ...event, action: 'oauth_app.unverified' }]
  expect(said(<AppHistory app="Deploy Bot" events={events} />)).toContain(
    'Ada removed the verification of Deploy Bot',
  )
})
