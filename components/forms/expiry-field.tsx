import { SelectField } from '../ui/field'

/**
 * The lifetimes that users can select for a credential. If `days` is empty, the credential does not expire.
 */
const lifetimes = [
  { label: '7 days', days: '7' },
  { label: '30 days', days: '30' },
  { label: '90 days', days: '90' },
  { label: '1 year', days: '365' },
  { label: 'Never', days: '' },
]

/**
 * A field to select the lifetime of a token or a secret. The form sends the lifetime in days as
 * `expiresInDays`.
 */
export function ExpiryField({
  days = '90',
  error,
}: {
  days?: string | undefined
  error?: string | undefined
}) {
  return (
    <SelectField label="Expires" name="expiresInDays" defaultValue={days} error={error}>
      {lifetimes.map(({ label, days: value }) => (
        <option key={label} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}
