import type { ShownSetting } from '@/lib/features/instance-settings/list-changeable'
import { SelectField, TextAreaField, TextField } from '../ui/field'

/** One setting of the installation, in the control that its kind takes; one that the environment says cannot be changed. */
export function SettingField({
  setting,
  value,
  error,
}: {
  setting: ShownSetting
  /** What was typed, where it was refused. */
  value: string | undefined
  error: string | undefined
}) {
  const common = {
    name: setting.name,
    label: 'unit' in setting ? `${setting.label} (${setting.unit})` : setting.label,
    hint: hintOf(setting),
    defaultValue: value ?? ('list' in setting ? setting.value.replaceAll(',', '\n') : setting.value),
    disabled: setting.locked,
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
  return <TextAreaField {...common} mono rows={2} spellCheck={false} placeholder={setting.list} />
}

function hintOf({ name, hint, locked }: ShownSetting) {
  if (!locked) return hint
  return `${hint ? `${hint} ` : ''}Set as ${name} in the environment, so it cannot be changed here.`
}
