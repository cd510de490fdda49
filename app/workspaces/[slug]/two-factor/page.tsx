import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { openedWorkspaces } from '@/app/workspaces/open-workspace'
import { MessageCard } from '@/components/frame/message-card'
import { Button } from '@/components/ui/button'
import { ShieldAlert } from '@/components/ui/icon'
import { ButtonLink } from '@/components/ui/link'
import { requireSession } from '@/lib/edges/web/current-session'
import { twoFactorMethods } from '@/lib/features/identity/two-factor/two-factor-methods'
import { twoFactorGate } from '@/lib/policy/two-factor'

export const metadata: Metadata = { title: 'Two-factor authentication required' }

/**
 * The page for sessions without two-factor authentication in a workspace that requires it. Other sessions are
 * redirected to the workspace.
 */
export default async function TwoFactorRequiredPage({ params }: { params: Promise<{ slug: string }> }) {
  const { slug } = await params
  const home = `/workspaces/${slug}`
  const { actor, methods } = await requireSession(home)
  const workspace = (await openedWorkspaces(slug))?.current
  if (!workspace) notFound()
  const { enrolled } = await twoFactorMethods(actor.userId)
  const gate = twoFactorGate(workspace, { methods }, enrolled)
  if (gate === 'open') redirect(home)
  return (
    <div className="mx-auto max-w-card rounded-card border bg-surface p-5 sm:p-8">
      <MessageCard
        icon={ShieldAlert}
        tone="warning"
        title={`${workspace.name} requires two-factor authentication`}
        action={
          gate === 'set-up' ? (
            <ButtonLink href="/account/security" variant="primary">
              Set up two-factor
            </ButtonLink>
          ) : (
            <form method="post" action="/logout">
              <input type="hidden" name="next" value={home} />
              <Button type="submit" variant="primary">
                Sign in again
              </Button>
            </form>
          )
        }
      >
        {gate === 'set-up' ? (
          <p>
            Add a passkey or an authenticator app to your account, then return to this page. It takes about a
            minute.
          </p>
        ) : (
          <p>
            You signed in without two-factor authentication. Sign in again with two-factor authentication.
          </p>
        )}
        <p>You can still open workspaces that don’t require it.</p>
      </MessageCard>
    </div>
  )
}
