import { leastFirst } from '@/lib/features/apps/least-first'
import { Checkbox, ChoiceGroup, Radio } from '../ui/choice'
import { SelectField, TextField } from '../ui/field'

/** What an app is called on the consent page. */
export const AppNameField = ({ name, error }: { name: string | undefined; error: string | undefined }) => (
  <TextField
    label="App name"
    name="name"
    required
    maxLength={80}
    autoComplete="off"
    hint="Shown on the consent page."
    defaultValue={name}
    error={error}
  />
)

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

/** What an app's id_tokens are signed with; RS256 is what libraries expect unless told otherwise. */
export const IdTokenAlgField = ({ alg, error }: { alg: string | undefined; error: string | undefined }) => (
  <SelectField
    label="ID token signature"
    name="idTokenAlg"
    hint="Change it only if your library expects another."
    defaultValue={alg}
    error={error}
  >
    <option value="RS256">RS256</option>
    <option value="ES256">ES256</option>
    <option value="EdDSA">EdDSA</option>
  </SelectField>
)
