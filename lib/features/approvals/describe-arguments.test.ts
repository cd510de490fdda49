import { describe, expect, it } from 'vitest'
import type { PendingApproval } from '@/lib/policy/approvals'
import { keepArguments } from './describe-arguments'

const kept = (args: Record<string, unknown>) => keepArguments({ args, resolved: {} } as PendingApproval)

describe('keepArguments', () => {
  it('stores every redirect URI, even if there are many long ones', () => {
    const uris = Array.from(
      { length: 10 },
      (_, index) => `https://host-${index}.example.com/${'a'.repeat(1_000)}`,
    )
    const [argument] = kept({ input: { redirectUris: uris } })
    for (const uri of uris) expect(argument?.value).toContain(uri)
  })

  it('states how many characters of a long text are omitted', () => {
    const [argument] = kept({ description: 'x'.repeat(16_500) })
    expect(argument?.value).toMatch(/x … and 500 more characters that are not shown$/)
  })

  it('does not store variable values', () => {
    const variables = [{ name: 'TOKEN', value: 'hunter2' }]
    expect(JSON.stringify(kept({ input: { variables, value: 'hunter2' } }))).not.toContain('hunter2')
  })
})
