import { Avatar } from '../ui/avatar'
import { Button } from '../ui/button'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { OnGround } from '../ui/on-ground'

/** Uploads or removes an image in a plain form, so it works without a script. `refused` is the error of the last file. */
export function PictureForm({
  at,
  title,
  description,
  label,
  owner,
  src,
  standIn,
  shape,
  ground,
  action,
  refused,
}: {
  /** Its ID on the page. */
  at: string
  title: string
  description: string
  /** The field's name, such as "New logo". */
  label: string
  /** The name for the initials. */
  owner: string
  src: string | null
  /** The image shown while there is none of its own. */
  standIn?: string | null
  shape: 'round' | 'square'
  /** The color scheme of the pages that show the image. Default: both. */
  ground?: 'light' | 'dark'
  action: string
  refused: string | undefined
}) {
  const picture = <Avatar name={owner} src={src ?? standIn} size="large" shape={shape} />
  return (
    <form id={at} method="post" action={action} encType="multipart/form-data" className="scroll-mt-4">
      <Section
        title={title}
        description={description}
        footer={
          <span className="ml-auto flex flex-wrap gap-2">
            {src && (
              <Button type="submit" name="remove" value="1" variant="danger-quiet" formNoValidate>
                Remove
              </Button>
            )}
            <Button type="submit" variant="primary">
              Upload
            </Button>
          </span>
        }
      >
        <div className="flex flex-wrap items-start gap-4">
          {ground ? <OnGround ground={ground}>{picture}</OnGround> : picture}
          <TextField
            className="min-w-0 flex-1 basis-64"
            label={label}
            name="picture"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            required
            autoFocus={refused !== undefined}
            hint="PNG, JPEG, or WebP, roughly square, at least 64 × 64 pixels, up to 4 MB."
            error={refused}
          />
        </div>
      </Section>
    </form>
  )
}
