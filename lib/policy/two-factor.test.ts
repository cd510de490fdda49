import { expect, it } from 'vitest'
import { twoFactorGate } from './two-factor'

it.each([
  [false, ['pwd'], false, 'open'],
  [false, ['pwd'], true, 'open'],
  [true, ['pwd', 'otp', 'mfa'], true, 'open'],
  [true, ['hwk', 'mfa'], true, 'open'],
  [true, ['pwd'], false, 'set-up'],
  [true, ['ext'], false, 'set-up'],
  [true, ['pwd'], true, 'sign-in-again'],
  [true, [], true, 'sign-in-again'],
])('required: %s, signed in by %j, enrolled: %s: %s', (requireTwoFactor, methods, enrolled, gate) => {
  expect(twoFactorGate({ requireTwoFactor }, { methods }, enrolled)).toBe(gate)
})
