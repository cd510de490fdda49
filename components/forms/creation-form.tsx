import type { ComponentProps, ReactNode } from 'react'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import type { ButtonLook } from '../ui/button'
import { Section } from '../ui/card'
import { ButtonLink } from '../ui/link'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { SharedMessage } from '../ui/use-say'
import { FormOutcome } from './form-outcome'

/**
 * A form that adds an entry to a list, with a link back to the list. The buttons are visible without
 * scrolling, even if the form is longer than the window.
 */
export function CreationForm<Result>({
  state,
  submit,
  place,
  title,
  description,
  listHref,
  button,
  children,
}: {
  state: FormState<Result>
  submit: (form: FormData) => void
  /** Hidden inputs that identify the new entry's parent, such as its workspace. */
  place: Record<string, string>
  title: string
  description: string
  listHref: string
  button: string
  children: ReactNode
}) {
  return (
    <form action={submit} className="creation-form">
      <HiddenFields fields={place} />
      <Section
        title={title}
        description={description}
        footer={
          <>
            <ButtonLink href={listHref}>
              <SharedMessage of="shared.cancel" />
            </ButtonLink>
            <SubmitButton>{button}</SubmitButton>
          </>
        }
      >
        <FormOutcome state={state} />
        {children}
      </Section>
    </form>
  )
}

/** A link that looks like a button and opens a page with a form, such as "New webhook". */
export function GoButton({ look, ...link }: ComponentProps<typeof ButtonLink> & { look?: ButtonLook }) {
  return <ButtonLink variant="primary" {...look} {...link} />
}
