import { expect, it } from 'vitest'
import { unknownName } from './unknown-name'

const known = ['project.created', 'project.deleted', 'member.added']

it.each([
  ['project.created', undefined],
  ['project.create', 'There is no event “project.create”. There is project.created, project.deleted.'],
  ['project', 'There is no event “project”. There is project.created, project.deleted.'],
  ['projects.created', 'There is no event “projects.created”. They begin with project, member.'],
  ['', 'There is no event “”. They begin with project, member.'],
  ['__proto__', 'There is no event “__proto__”. They begin with project, member.'],
])('says of %j what there is in its place: %s', (name, sentence) => {
  expect(unknownName('event', name, known)).toBe(sentence)
})
