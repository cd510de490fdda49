import { Avatar } from '../ui/avatar'
import { Button } from '../ui/button'
import { Section } from '../ui/card'
import { PictureField } from './picture-field'

/**
 * A plain form to upload or remove an image, which works without JavaScript. The upload button appears after
 * a file is chosen. `refused` is the error for the last file.
 */
export function PictureForm({
  at,
  title,
  description,
  label,
  owner,
  ownerId,
  src,
  standIn,
  shape,
  ground,
  action,
  refused,
}: {
  /** The ID of the section on the page. */
  at: string
  title: string
  description: string
  /** The label of the field, such as "New logo". */
  label: string
  /** The name from which the initials are derived. */
  owner: string
  /** The ID from which the hue of the initials is derived. */
  ownerId: string
  src: string | null
  /** The image that is shown if none was uploaded. */
  standIn?: string | null
  shape: 'round' | 'square'
  /** The color scheme of the pages that show the image; undefined for both schemes. */
  ground?: 'light' | 'dark'
  action: string
  refused: string | undefined
}) {
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
            <Button type="submit" className="[form:has([type=file]:invalid)_&]:hidden">
              Upload
            </Button>
          </span>
        }
      >
        <PictureField
          label={label}
          shape={shape}
          refused={refused}
          current={<Avatar name={owner} id={ownerId} src={src ?? standIn} size="large" shape={shape} />}
          ground={ground}
        />
      </Section>
    </form>
  )
}
