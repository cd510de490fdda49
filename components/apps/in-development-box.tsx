import { Checkbox } from '../ui/choice'

/**
 * Whether a new app is only for the members of its workspace for now.
 * @param forced the user has no confirmed email address, so the app stays in development
 */
export const InDevelopmentBox = ({ checked, forced }: { checked: boolean; forced: boolean }) => (
  <Checkbox
    label="In development"
    name="inDevelopment"
    defaultChecked={checked || forced}
    disabled={forced}
    hint={
      forced
        ? 'Only members of this workspace can authorize the app. To move it to production, confirm your email address first.'
        : 'Only members of this workspace can authorize the app, until you move it to production.'
    }
  />
)
