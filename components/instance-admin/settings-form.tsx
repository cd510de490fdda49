'use client'

import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { listChangeable, ShownSetting } from '@/lib/features/instance-settings/change-settings'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { Field, SelectField, TextAreaField, TextField } from '../ui/field'
import { Input } from '../ui/input'
import { Stack } from '../ui/stack'

/** A form to change instance settings. The fields of settings that the environment locks are disabled. */
export function SettingsForm({
  groups,
  action,
  saved = 'Settings saved',
  children,
}: {
  groups: ReturnType<typeof listChangeable>
  action: FormAction
  /** The message on success. */
  saved?: string
  /** The content above the settings. */
  children?: ReactNode
}) {
  const [state, submit] = useFormAction(action)
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

/**
 * Shows one setting of the instance in a control for its type. If the environment locks the setting, the
 * control is disabled.
 */
function SettingField({
  setting,
  value,
  error,
}: {
  setting: ShownSetting
  /** The rejected value. */
  value: string | undefined
  error: string | undefined
}) {
  const common = {
    name: setting.name,
    label: 'unit' in setting ? `${setting.label} (${setting.unit})` : setting.label,
    hint: hintOf(setting),
    defaultValue: value ?? ('list' in setting ? setting.value.replaceAll(',', '\n') : setting.value),
    disabled: setting.lockedBy !== undefined,
    error,
  }
  if ('options' in setting) {
    return (
      <SelectField {...common}>
        {Object.entries(setting.options).map(([option, label]) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </SelectField>
    )
  }
  if ('unit' in setting) {
    return (
      <TextField
        {...common}
        type="number"
        inputMode="numeric"
        min={setting.least}
        max={setting.most}
        placeholder={setting.fallback}
      />
    )
  }
  if ('text' in setting) return <WrittenField {...common} setting={setting} />
  return (
    <TextAreaField
      {...common}
      mono
      rows={Math.max(setting.list.split('\n').length, 2)}
      spellCheck={false}
      placeholder={setting.list}
      // A list with an error is visible even if it has no effect, so that admins can fix it.
      className={(!error && shownFor[setting.neededFor?.value ?? '']) || ''}
    />
  )
}

/** The classes that hide a list unless the form's selects have the value that needs the list. */
const shownFor: Record<string, string> = {
  domains: '[form:not(:has(option[value=domains]:checked))_&]:hidden',
  hosts: '[form:not(:has(option[value=hosts]:checked))_&]:hidden',
}

/**
 * A text field for a setting. If `rows` is set, the field has several lines. A color has a color picker
 * unless the field is disabled.
 */
function WrittenField({
  setting,
  label,
  hint,
  error,
  ...input
}: ComponentProps<typeof TextField> & { setting: Extract<ShownSetting, { text: string }> }) {
  const { text, most, rows, mono = false, color } = setting
  const { name, defaultValue, disabled } = input
  const common = { name, defaultValue, disabled, maxLength: most, placeholder: text || setting.fallback }
  if (rows) return <TextAreaField {...{ label, hint, error, rows }} {...common} />
  return (
    <Field {...{ label, hint, error }}>
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...common}
            {...control}
            spellCheck={false}
            className={mono ? 'font-mono md:text-[13px]' : ''}
          />
          {color && !disabled && <ColorPicker at={control.id} first={String(defaultValue)} label={label} />}
        </div>
      )}
    </Field>
  )
}

/**
 * The browser's color picker for the field next to it. The picker shows the field's color. Selecting a color
 * in the picker fills the field.
 * @param at the field's ID
 */
function ColorPicker({ at, first, label }: { at: string; first: string; label: string }) {
  const picker = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const field = document.getElementById(at)
    const follow = () => {
      const { value } = field as HTMLInputElement
      if (picker.current && /^#[0-9a-f]{6}$/i.test(value)) picker.current.value = value
    }
    field?.addEventListener('input', follow)
    return () => field?.removeEventListener('input', follow)
  }, [at])
  return (
    <input
      ref={picker}
      type="color"
      aria-label={`Choose ${label}`}
      defaultValue={first}
      onInput={({ currentTarget }) => {
        const field = document.getElementById(at) as HTMLInputElement
        field.value = currentTarget.value
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }}
      className="needs-script h-10 w-12 shrink-0 rounded-control border border-control bg-surface p-1 md:h-8"
    />
  )
}

function hintOf({ hint, lockedBy }: ShownSetting) {
  if (lockedBy === undefined) return hint
  return `${hint ? `${hint} ` : ''}Set by ${lockedBy} in the environment. It can’t be changed here.`
}
