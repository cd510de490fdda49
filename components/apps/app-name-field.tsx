import { TextField } from '../ui/field'

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
