import { expect, it } from 'vitest'
import { literalPattern } from './confirm-dialog'

it.each(['acme-inc', 'R&D #1, 50% off!', `all of it: $()*+./?[\\]^{|}&-!#%,:;<=>@\`~"'_`, '東京 · café'])(
  'the confirmation of a dialog accepts only the exact name: %s',
  (name) => {
    // Browsers compile a `pattern` like this, and ignore it if it does not compile.
    const pattern = new RegExp(`^(?:${literalPattern(name)})$`, 'v')
    expect(pattern.test(name)).toBe(true)
    expect(pattern.test(`${name}x`)).toBe(false)
    expect(pattern.test('x'.repeat(name.length))).toBe(false)
  },
)
