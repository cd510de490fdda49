import { Button } from '../ui/button'
import { Section } from '../ui/card'
import { ChoiceGroup, Radio } from '../ui/choice'
import { type Policy, policies } from './policies'

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
