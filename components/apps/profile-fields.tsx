import type { AppProfile } from '@/lib/features/apps/app-profile'
import { TextAreaField, TextField } from '../ui/field'

/** How an app introduces itself, as it is or as it was sent; every field may be empty. */
export function ProfileFields({
  profile,
  values,
  errors,
}: {
  profile: AppProfile
  values: Record<string, string>
  errors: Record<string, string>
}) {
  return (
    <>
      <TextAreaField
        label="Description"
        name="description"
        optional
        rows={2}
        maxLength={200}
        hint="What your app does, in a sentence."
        defaultValue={values.description ?? profile.description ?? ''}
        error={errors.description}
      />
      <TextField
        label="Website"
        name="homepageUrl"
        type="url"
        optional
        defaultValue={values.homepageUrl ?? profile.website ?? ''}
        error={errors.homepageUrl}
      />
      <TextField
        label="Support"
        name="support"
        optional
        hint="An email address, or a page that begins with https://."
        defaultValue={values.support ?? profile.support ?? ''}
        error={errors.support}
      />
      <TextField
        label="Privacy policy"
        name="privacyUrl"
        type="url"
        optional
        defaultValue={values.privacyUrl ?? profile.privacyUrl ?? ''}
        error={errors.privacyUrl}
      />
      <TextField
        label="Terms"
        name="termsUrl"
        type="url"
        optional
        defaultValue={values.termsUrl ?? profile.termsUrl ?? ''}
        error={errors.termsUrl}
      />
    </>
  )
}
