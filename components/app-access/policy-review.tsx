import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { Button } from '../ui/button'
import { ButtonLink } from '../ui/button-link'
import { Section } from '../ui/card'
import { ChoiceGroup, Radio } from '../ui/choice'
import { cn } from '../ui/cn'
import { counted } from '../ui/formats'

/** The policies as people read them, the widest first. */
export const policies = {
  OPEN: {
    label: 'Everyone’s apps',
    hint: 'Members choose which apps to let in, within their own role. Blocked apps stay out.',
  },
  APPROVED: {
    label: 'Apps approved here',
    hint: 'An admin approves each app from outside, and sets how far it goes. Members can ask.',
  },
  OWN: { label: 'Own apps only', hint: 'Only apps made in this workspace come in.' },
} as const

export type Policy = keyof typeof policies

/** Which apps come in. Choosing changes nothing yet: the next page says what the choice would take away. */
export function PolicySection({ policy, chosen, path }: { policy: Policy; chosen: Policy; path: string }) {
  return (
    <form action={path}>
      <Section
        title="Policy"
        description="Which OAuth apps can be let into this workspace and its projects. Members’ own tokens aren’t affected."
        footer={
          <>
            <span>You’ll see who loses what before anything changes.</span>
            <Button type="submit">Review change</Button>
          </>
        }
      >
        <ChoiceGroup legend="Apps that come in">
          {Object.entries(policies).map(([value, { label, hint }]) => (
            <Radio
              key={value}
              name="policy"
              value={value}
              label={label}
              hint={hint}
              defaultChecked={value === chosen}
              aside={value === policy ? 'Now' : undefined}
            />
          ))}
        </ChoiceGroup>
      </Section>
    </form>
  )
}

type Loss = {
  id: string
  name: string
  people: number
  names: string[]
  loses: 'everything' | 'a part'
  installed: boolean
  managed: boolean
}

/** What a policy would take away, and the button that sets it. */
export function PolicyReview({
  workspaceId,
  policy,
  losses,
  path,
  action,
}: {
  workspaceId: string
  policy: Policy
  /** Null where there are too many apps to say. */
  losses: Loss[] | null
  path: string
  action: FormAction
}) {
  const { label } = policies[policy]
  // The button stays in sight of what it does.
  const long = losses !== null && losses.length > 10
  const cutsOff = losses?.length !== 0
  return (
    <Section
      title={`Change to: ${label}`}
      description={
        cutsOff
          ? `${losses ? counted(losses.length, 'app loses', 'apps lose') : 'There are too many apps here to say which of them lose'} access right away. What people allowed is kept, and works again once you let the app in.`
          : 'No app loses access.'
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
            {cutsOff ? 'Change and cut off' : 'Change policy'}
          </ActionButton>
        </>
      }
    >
      {losses && cutsOff && (
        <ul
          aria-label="Apps that lose access"
          // A box that scrolls must be reachable by keyboard.
          tabIndex={long ? 0 : undefined}
          className={cn('grid gap-2', long && 'max-h-96 overflow-y-auto rounded-control border p-3')}
        >
          {losses.map(({ id, name, people, names, loses, installed, managed }) => (
            <li key={id}>
              <span className="font-medium">{name}</span> loses {loses}:{' '}
              {[
                people > 0 ? whom(names, people) : '',
                installed ? 'what it is installed for' : '',
                managed ? 'what it does through SSO' : '',
              ]
                .filter(Boolean)
                .join(', and ')}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const list = new Intl.ListFormat('en-GB')

/** "Ada, Grace and 3 more"; "Ada and Grace". */
export const whom = (names: string[], people: number): string =>
  people > names.length ? `${names.join(', ')} and ${people - names.length} more` : list.format(names)
