import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { Button } from '../ui/button'
import { Section } from '../ui/card'
import { ChoiceGroup, Radio } from '../ui/choice'
import { counted } from '../ui/formats'
import { ButtonLink } from '../ui/link'
import { LossList } from './loss-list'

/** The app policies with their labels, widest first. */
export const policies = {
  OPEN: {
    label: 'Any app',
    hint: 'Members can authorize any app. No app gets more access than the member’s own role allows. Blocked apps stay blocked.',
  },
  APPROVED: {
    label: 'Approved apps only',
    hint: 'An admin approves each app and sets its limits. Members can request approval for an app.',
  },
  OWN: { label: 'Only this workspace’s apps', hint: 'Only apps that belong to this workspace.' },
} as const

export type Policy = keyof typeof policies

/** Lets admins select the app policy. Before the policy changes, the next page shows the consequences. */
export function PolicySection({ policy, path }: { policy: Policy; path: string }) {
  return (
    <form action={path}>
      <Section
        id="policy"
        title="Policy"
        description="Which OAuth apps can access this workspace and its projects. Members’ API tokens aren’t affected."
        footer={
          <>
            <span>You’ll see who is affected before anything changes.</span>
            <Button type="submit">Review change</Button>
          </>
        }
      >
        <ChoiceGroup legend="Allowed apps">
          {Object.entries(policies).map(([value, { label, hint }]) => (
            <Radio
              key={value}
              name="policy"
              value={value}
              label={label}
              hint={hint}
              defaultChecked={value === policy}
              aside={value === policy ? 'Current' : undefined}
            />
          ))}
        </ChoiceGroup>
      </Section>
    </form>
  )
}

type AppLoss = {
  id: string
  name: string
  users: number
  names: string[]
  loses: 'everything' | 'a part'
  installed: boolean
  managed: boolean
}

/** Shows the access that a policy would revoke, and the button that sets the policy. */
export function PolicyReview({
  workspaceId,
  policy,
  losses,
  users,
  path,
  action,
}: {
  workspaceId: string
  policy: Policy
  /** The apps that lose access; null if the workspace has too many apps to check. */
  losses: AppLoss[] | null
  /** The number of users who lose access through these apps. */
  users: number
  path: string
  action: FormAction
}) {
  const { label } = policies[policy]
  const cutsOff = losses?.length !== 0
  const blocked = losses?.filter(({ loses }) => loses === 'everything').length ?? 0
  const partly = (losses?.length ?? 0) - blocked
  return (
    <Section
      title={losses && cutsOff ? titleOf(losses.length, users) : `Change to: ${label}`}
      description={
        losses
          ? cutsOff
            ? `The policy will change to “${label}”. ${
                partly > 0
                  ? `${counted(partly, 'app keeps part of its access', 'apps keep part of their access')}. `
                  : ''
              }If you allow an app again later, users’ earlier authorizations work again.`
            : 'No app loses access.'
          : 'This workspace has too many apps to list which of them lose access. If you allow an app again later, users’ earlier authorizations work again.'
      }
      footer={
        <>
          <ButtonLink href={path}>Cancel</ButtonLink>
          <ActionButton
            action={action}
            fields={{ id: workspaceId, policy }}
            look={{ variant: cutsOff ? 'danger' : 'primary' }}
            done="Policy changed"
          >
            {blocked > 0 ? `Block ${counted(blocked, 'app', 'apps')}` : 'Change policy'}
          </ActionButton>
        </>
      }
    >
      {losses && cutsOff && (
        <LossList
          apps={losses.map(({ id, name, users: all, names, loses, installed, managed }) => ({
            id,
            name,
            through: [
              all > 0 ? userNames(names, all) : '',
              installed ? 'Installation' : '',
              managed ? 'SSO-managed access' : '',
            ]
              .filter(Boolean)
              .join(', '),
            partly: loses === 'a part',
          }))}
        />
      )}
    </Section>
  )
}

const titleOf = (apps: number, users: number) =>
  `${counted(apps, 'app', 'apps')}${
    users > 0 ? ` used by ${counted(users, 'user', 'users')}` : ''
  } ${apps === 1 ? 'loses' : 'lose'} access`

const list = new Intl.ListFormat('en-GB')

/**
 * Returns names as text, such as "Ada and Grace". If there are more users than names, the text ends with the
 * number of unnamed users: "Ada, Grace and 3 more".
 */
export const userNames = (names: string[], users: number): string =>
  users > names.length ? `${names.join(', ')} and ${users - names.length} more` : list.format(names)
