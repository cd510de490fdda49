'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { Role } from '@/lib/policy/scopes'
import { ConfirmAction, reasonIn, useAnnouncedAction } from '../forms/action-button'
import { RowMenu } from '../lists/row-menu'
import { roleNames } from '../members/role-select'
import { Alert } from '../ui/alert'
import { Section } from '../ui/card'
import { LastUsed } from '../ui/expiry'
import { CircleX, Ellipsis } from '../ui/icon'
import { ButtonLink } from '../ui/link'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'

type RevocableToken = {
  id: string
  name: string
  /** The token's prefix and last four characters. */
  display: string
}

const done = 'Token revoked'

const Consequence = ({ display }: { display: string }) => (
  <>
    Anything that uses <span className="font-mono">{display}</span> stops working immediately.
  </>
)

/**
 * A menu for a token in a list. Its only action revokes the token after confirmation.
 * @param page the path of the token's page, which the menu's button opens if JavaScript is not available
 */
export function TokenMenu({
  token: { id, name, display },
  page,
  revoke,
}: {
  token: RevocableToken
  page: string
  revoke: FormAction
}) {
  return (
    <ConfirmAction
      trigger={(open) => (
        <RowMenu
          href={page}
          label={`Actions for ${name}`}
          items={() => [{ label: `Revoke ${name}`, icon: CircleX, danger: true, act: open }]}
          className="row-actions"
        >
          <Ellipsis />
        </RowMenu>
      )}
      title={`Revoke ${name}?`}
      confirmLabel="Revoke token"
      done={done}
      action={revoke}
      fields={{ id }}
    >
      <p>
        <Consequence display={display} />
      </p>
    </ConfirmAction>
  )
}

/**
 * A form that revokes a token. Browsers without JavaScript open the token's page, which shows this form.
 * @param back the path of the list to open afterwards
 */
export function RevokeTokenSection({
  token: { id, name, display, role, lastUsedAt },
  back,
  revoke,
}: {
  token: RevocableToken & { role: Role; lastUsedAt: Date | null }
  back: string
  revoke: FormAction
}) {
  const [state, submit] = useAnnouncedAction(revoke, { done })
  const refused = reasonIn(state)
  return (
    <form action={submit} className="grid gap-4">
      <HiddenFields fields={{ id, back }} />
      {refused && <Alert tone="danger" title={refused} />}
      <Section
        danger
        title={`Revoke ${name}?`}
        description={
          <>
            <Consequence display={display} />
            <span className="block">
              Role: {roleNames[role]}. Last used: <LastUsed at={lastUsedAt} />.
            </span>
          </>
        }
      >
        <div className="flex flex-wrap gap-2">
          <ButtonLink href={back}>Cancel</ButtonLink>
          <SubmitButton variant="danger">Revoke token</SubmitButton>
        </div>
      </Section>
    </form>
  )
}
