import { Checkbox } from '../ui/choice'

/** Whether an app is for the members of its workspace alone, until it is ready. */
export const InDevelopmentBox = ({ checked }: { checked: boolean }) => (
  <Checkbox
    label="In development"
    name="inDevelopment"
    defaultChecked={checked}
    hint="Only members of this workspace can authorize the app, until you put it into production."
  />
)
