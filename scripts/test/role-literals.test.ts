import { expect, it } from 'vitest'
import { filesLike, read } from './sources'

/** Where a person chooses a role for somebody, or is told the one that was chosen. */
const chosen = [
  'app/account/tokens/page.tsx',
  'components/api-tokens/new-token-form.tsx',
  'components/invitations/invite-form.tsx',
  'components/projects/add-member-form.tsx',
  'components/sso/provider-form.tsx',
]

it('pages and components ask for a permission and never for a role (lib/policy/permissions.ts)', () => {
  const named = filesLike(/^(app|components)\/.*(?<!\.test)\.tsx?$/).filter((file) =>
    /(['"])(ADMIN|MEMBER|VIEWER)\1|\breaches\(/.test(read(file)),
  )
  expect(named).toEqual(chosen)
})
