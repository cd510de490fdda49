import { expect, it } from 'vitest'
import { filesLike, read } from './sources'

/** Files in which a user chooses a role or sees the chosen role. */
const chosen = [
  'app/account/tokens/page.tsx',
  'components/api-tokens/new-token-form.tsx',
  'components/invitations/invite-form.tsx',
  'components/members/member-table.tsx',
  'components/members/role-form.tsx',
  'components/projects/add-member-form.tsx',
  'components/sso/provider-form.tsx',
]

it('pages and components check permissions, not roles (lib/policy/permissions.ts)', () => {
  const named = filesLike(/^(app|components)\/.*(?<!\.test)\.tsx?$/).filter((file) =>
    /(['"])(ADMIN|MEMBER|VIEWER)\1|\breaches\(/.test(read(file)),
  )
  expect(named).toEqual(chosen)
})
