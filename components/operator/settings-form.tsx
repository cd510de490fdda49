'use client'
import { type ReactNode, useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import type { listChangeable } from '@/lib/features/instance-settings/change-settings'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { Section } from '../ui/card'
import { Stack } from '../ui/stack'
import { SettingField } from './setting-field'

/** Changes the settings of the installation that its environment leaves open. */
export function SettingsForm({
  groups,
  action,
  saved = 'Settings saved',
  children,
}: {
  groups: ReturnType<typeof listChangeable>
  action: FormAction
  /** What is told once they are. */
  saved?: string
  /** Above the settings. */
  children?: ReactNode
}) {
  const [state, submit] = useActionState(action, untouched)
  const { values, fields, turn } = state
  return (
    <form action={submit}>
      <Stack>
        <FormOutcome state={state} saved={saved} />
        {children}
        {groups.map(({ title, description, settings }) => (
          <Section key={title} title={title} description={description}>
            {settings.map((setting) => (
              <SettingField
                key={`${setting.name}${turn}`}
                setting={setting}
                value={values[setting.name]}
                error={fields[setting.name]}
              />
            ))}
          </Section>
        ))}
      </Stack>
      <SaveBar state={state} />
    </form>
  )
}
