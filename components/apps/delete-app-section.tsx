import { ConfirmAction } from '../forms/confirm-action'
import { Section } from '../ui/card'

/** Ends an app for good, once its name was typed. @param people how many would lose it, as the start of a sentence */
export function DeleteAppSection({
  app: { id, name },
  people,
  back,
  action,
}: {
  app: { id: string; name: string }
  people: string
  /** Where to go afterwards. */
  back: string
  action: Parameters<typeof ConfirmAction>[0]['action']
}) {
  return (
    <Section
      danger
      title="Delete app"
      description="Ends access for everyone who uses it, and deletes its secrets. Can’t be undone."
    >
      <div>
        <ConfirmAction
          trigger="Delete app"
          title={`Delete ${name}?`}
          confirmLabel="Delete app"
          done="App deleted"
          confirmName={name}
          action={action}
          fields={{ id, back }}
        >
          <p>{people} authorized it; its tokens stop working at once. This can’t be undone.</p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
