import { pictureRefusal } from '@/lib/edges/web/forms/answer-picture-form'
import { PictureForm } from '../pictures/picture-form'

/** An app's logo, and the one for dark pages. */
export async function AppLogos({
  app: { name, logoUrl, logoDarkUrl },
  action,
  error,
}: {
  app: { name: string; logoUrl: string | null; logoDarkUrl: string | null }
  /** Where both forms post, each with its `theme`. */
  action: string
  /** The page's `?error`. */
  error: string | string[] | undefined
}) {
  const both = { owner: name, shape: 'square' } as const
  return (
    <>
      <PictureForm
        {...both}
        at="light-logo"
        title="Logo"
        description="Shown on the consent page and in people’s authorized apps."
        label="New logo"
        src={logoUrl}
        standIn={logoDarkUrl}
        ground="light"
        action={`${action}?theme=light`}
        refused={await pictureRefusal(error, 'light-logo')}
      />
      <PictureForm
        {...both}
        at="dark-logo"
        title="Logo for dark pages"
        description="Shown on dark pages instead of the other one. Without it, the other one is shown there too."
        label="New dark logo"
        src={logoDarkUrl}
        standIn={logoUrl}
        ground="dark"
        action={`${action}?theme=dark`}
        refused={await pictureRefusal(error, 'dark-logo')}
      />
    </>
  )
}
