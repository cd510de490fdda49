import { describe, expect, it } from 'vitest'
import { passwordWeakness } from './password-strength'

const owner = { name: 'Ada Lovelace', email: 'ada.lovelace@engine.example' }

describe('an easily guessed password', () => {
  it.each([
    '1234567890',
    'aaaaaaaaaa',
    '          ',
    'password12',
    'Password123!',
    'P@ssw0rd1234',
    'qwertyuiop',
    'iloveyou2024',
    'letmein12345',
    'abcdefghij',
    'testtesttest',
  ])('is rejected if it is similar to a common one: %j', async (password) => {
    expect(await passwordWeakness(password, owner)).toMatch(/guess|commonly/)
  })

  it.each([
    'ada.lovelace@engine.example',
    'adalovelace',
    'ada lovelace',
    'lovelace1815',
    'latchkey12',
    'latchkeylatchkey',
  ])('is rejected if it consists of known data about the user or the service: %j', async (password) => {
    expect(await passwordWeakness(password, owner)).toMatch(/Use several unrelated words/)
  })

  it('is rejected with an error that states the reason', async () => {
    expect(await passwordWeakness('engine.example', owner)).toMatch(/^This contains your name, your email/)
    expect(await passwordWeakness('password12', owner)).toMatch(
      /^This is similar to a commonly used password/,
    )
    expect(await passwordWeakness('aaaaaaaaaa', owner)).toMatch(/^This repeats itself/)
  })
})

it.each([
  'correct horse battery staple',
  'correct-horse-battery',
  'a whole new password',
  'a completely new one',
  'Sup3r-Secret-Pw!',
  'tr0ub4dor&3',
  'kX9#mQ2vLp',
  'summer rain on tin',
  'дорога домой 1987',
  '正确的马电池订书钉好长',
  `${'ha'.repeat(8)} said the walrus to the carpenter`,
])('passwordWeakness accepts the strong password %j', async (password) => {
  expect(await passwordWeakness(password, owner)).toBeUndefined()
})

it('passwordWeakness accepts a strong password even if it contains the user’s name', async () => {
  expect(await passwordWeakness('ada wrote notes on a loom', owner)).toBeUndefined()
})
