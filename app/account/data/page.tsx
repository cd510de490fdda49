import type { Metadata } from 'next'
import { DeleteAccountForm } from '@/components/account/delete-account-form'
import { ButtonAnchor } from '@/components/ui/button'
import { Section } from '@/components/ui/card'
import { Download } from '@/components/ui/icon'
import { Stack } from '@/components/ui/stack'
import { requireSession } from '@/lib/edges/web/current-session'
import { fieldOf, workspacesWithoutOtherAdmin } from '@/lib/features/identity/delete-account'
import { confirmedLately } from '@/lib/features/identity/two-factor/require-password'
import { hasPassword } from '@/lib/features/identity/users/password'
import { deleteAccountAction } from './actions'

export const metadata: Metadata = { title: 'Your data' }

export default async function OwnDataPage() {
  const { actor, user } = await requireSession('/account/data')
  const [left, owned, confirmed] = await Promise.all([
    workspacesWithoutOtherAdmin(actor),
    hasPassword(actor),
    confirmedLately(actor),
  ])
  return (
    <Stack>
      <Section
        title="Download your data"
        description="Your profile, sign-ins, keys, tokens, workspaces, apps, notifications, and activity as JSON. Passwords, secrets, and token values aren’t included."
      >
        <div>
          <ButtonAnchor href="/account/data/export">
            <Download /> Download JSON
          </ButtonAnchor>
        </div>
      </Section>
      <DeleteAccountForm
        email={user.email}
        asksPassword={owned && !confirmed}
        workspaces={left.map((workspace) => ({ ...workspace, field: fieldOf(workspace.id) }))}
        action={deleteAccountAction}
      />
    </Stack>
  )
}
