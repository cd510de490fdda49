import { leastFirst } from '@/lib/features/apps/least-first'
import { Checkbox, ChoiceGroup, Radio } from '../ui/choice'

/** What an app with a scope may do, in the words of who makes the app. */
const sentences: Record<(typeof leastFirst)[number], string> = {
  profile: 'Know people’s names and pictures',
  email: 'Know people’s email addresses',
  'project:viewer': 'Read the projects they choose',
  'workspace:viewer': 'Read the workspaces they choose',
  notifications: 'Read and manage their notifications',
  'project:member': 'Change the projects they choose',
  'workspace:member': 'Change the workspaces they choose',
  offline_access: 'Keep working while they’re away',
  ssh_keys: 'Manage their SSH keys',
  'project:admin': 'Fully control the projects they choose',
  'workspace:admin': 'Fully control the workspaces they choose, members included',
}

/** Sends the fields `scopeLimit` and `allowedScopes`, for `allowedScopesOfForm`. */
export function AllowedScopesField({
  allowed,
  error,
}: {
  /** What it may ask for; null for everything. */
  allowed: readonly string[] | null
  error: string | undefined
}) {
  return (
    <div className="group/scopes grid gap-4">
      <ChoiceGroup legend="What it may ask for" error={error}>
        <Radio
          label="Everything"
          name="scopeLimit"
          value="NONE"
          defaultChecked={allowed === null}
          hint="Anything it asks for. The person decides."
        />
        <Radio
          label="Only some things"
          name="scopeLimit"
          value="SOME"
          defaultChecked={allowed !== null}
          hint="Anything else it asks for is left out, and what people allowed it before no longer counts."
        />
      </ChoiceGroup>
      <ChoiceGroup
        legend="Beside signing people in"
        className="group-has-[input[value=NONE]:checked]/scopes:hidden"
      >
        {leastFirst.map((scope) => (
          <Checkbox
            key={scope}
            label={sentences[scope]}
            name="allowedScopes"
            value={scope}
            defaultChecked={allowed?.includes(scope) ?? false}
            hint={scope}
          />
        ))}
      </ChoiceGroup>
    </div>
  )
}
