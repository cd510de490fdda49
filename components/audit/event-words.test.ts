import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { kinds } from './event-filter'
import { actionText, describeAction } from './event-words'

/** The recorded actions, as spelled in the code that records them. */
const recorded = fs
  .readdirSync('lib/features', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => fs.readFileSync(path.join('lib/features', file), 'utf8'))
  .filter((source) => source.includes('recordEvent'))
  .flatMap((source) => source.match(/^.*\b(?:action|event\(|record\(|change\(|manage\().*$/gm) ?? [])
  .flatMap((line) =>
    [...line.matchAll(/(?<!say\()'([a-z_]+\.[a-z_]+)'/g)].map(([, action]) => action as string),
  )

it('every recorded action has a text', () => {
  expect(recorded.length).toBeGreaterThan(40)
  const mute = recorded.filter(
    (action) => actionText(action) === action.replace('.', ' ').replaceAll('_', ' '),
  )
  expect([...new Set(mute)]).toEqual([])
})

it('every kind of action that a workspace’s audit log can contain can be selected in the filter', () => {
  const instanceKinds = ['api', 'job', 'session', 'setting', 'signing_keys', 'ssh_key', 'two_factor', 'user']
  const recordedKinds = new Set(recorded.map((action) => action.split('.')[0] as string))
  expect(new Set([...Object.keys(kinds), ...instanceKinds])).toEqual(recordedKinds)
})

it.each(['constructor', '__proto__'])('an action without a text is shown by its name: %s', (name) =>
  expect(actionText(name)).toBe(name.replaceAll('_', ' ')),
)

const came = {
  action: 'member.added',
  userId: 'ada',
  resourceId: 'ada',
  project: null,
  details: { role: 'MEMBER', invitationId: 'i' },
}

it('an event’s description names no subject if users join or leave by themselves', () => {
  const joined = { words: 'joined', place: '' }
  expect(describeAction(came)).toEqual(joined)
  expect(describeAction({ ...came, details: { by: 'identity provider' } })).toEqual(joined)
  expect(describeAction({ ...came, action: 'member.left', details: { role: 'ADMIN' } })).toEqual({
    words: 'left',
    place: '',
  })
  expect(describeAction({ ...came, userId: 'grace' })).toEqual({
    words: 'added',
    about: 'subject',
    place: 'to',
  })
})

it('an event’s description names the project that a user joined or left', () => {
  const joined = { ...came, project: 'Shop', details: { invitationId: 'i', projectId: 'p' } }
  const left = { ...joined, action: 'member.left', details: { projectId: 'p' } }
  expect(describeAction(joined)).toEqual({ words: 'joined the project', about: 'project', place: 'in' })
  expect(describeAction(left)).toEqual({ words: 'left the project', about: 'project', place: 'in' })
  expect(describeAction({ ...left, project: null })).toEqual({ words: 'left a deleted project', place: 'in' })
  // Users who give themselves a role are already in the workspace.
  const itself = { ...joined, details: { projectId: 'p', role: 'ADMIN' } }
  expect(describeAction(itself)).toEqual({ words: 'added', about: 'subject', place: 'to' })
})

it.each(['user.email_verified', 'person.email_verified'])(
  'an event’s description does not repeat the name of users who change their own account: %s',
  (action) => {
    const own = { ...came, action, details: null }
    expect(describeAction(own)).toEqual({ words: 'confirmed their email', place: 'in' })
    expect(describeAction({ ...own, userId: 'grace' })).toEqual({
      words: 'confirmed the email of',
      about: 'subject',
      place: 'in',
    })
  },
)
