import { TextField } from '../ui/field'

/** The address that a webhook's messages go to. */
export function UrlField({ url, error }: { url: string | undefined; error: string | undefined }) {
  return (
    <TextField
      label="URL"
      name="url"
      type="url"
      required
      maxLength={2000}
      autoComplete="off"
      spellCheck={false}
      hint="An https address on the public internet. Every message is a POST with a JSON body."
      defaultValue={url}
      error={error}
    />
  )
}
