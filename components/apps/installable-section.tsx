'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { adminSentences } from '../app-access/scope-sentences'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { Checkbox, ChoiceGroup } from '../ui/choice'
import { TextLink } from '../ui/link'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { ValueField } from '../ui/value-field'

// An installation cannot manage members, so no admin scope is offered.
const installable = Object.entries(adminSentences).filter(([scope]) => !scope.endsWith(':admin'))

/**
 * Lets admins choose the scopes with which an app can be installed into workspaces. Without scopes, the app
 * cannot be installed. If the app can be installed, shows the installation link.
 */
export function InstallableSection({
  clientId,
  scopes,
  link,
  action,
}: {
  clientId: string
  scopes: readonly string[]
  /** The link that an admin opens to install the app. */
  link: string
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit}>
      <HiddenFields fields={{ id: clientId }} />
      <Section
        title="Installation"
        description="An admin can install the app in a workspace. The app then uses the client_credentials grant to get access tokens that act for the workspace, not for a user. Use this for background jobs."
        action={<TextLink href="/docs/installations">How it works</TextLink>}
        footer={
          <SubmitButton variant="secondary" className="ml-auto">
            Update installation
          </SubmitButton>
        }
      >
        <FormOutcome state={state} saved="App saved" />
        <ChoiceGroup
          key={state.turn}
          legend="Installation scopes"
          hint="To turn off installation, clear all scopes."
          error={state.fields.installScopes}
        >
          {installable.map(([scope, sentence]) => (
            <Checkbox
              key={scope}
              label={scope}
              name="installScopes"
              value={scope}
              defaultChecked={scopes.includes(scope)}
              hint={sentence}
            />
          ))}
        </ChoiceGroup>
        {scopes.length > 0 && <ValueField label="Installation link" value={link} />}
      </Section>
    </form>
  )
}
