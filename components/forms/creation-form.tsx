import type { ReactNode } from 'react'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { ButtonLink } from '../ui/button-link'
import { Section } from '../ui/card'
import { HiddenFields } from '../ui/hidden-fields'
import { SubmitButton } from '../ui/submit-button'
import { FormOutcome } from './form-outcome'

/** A page's form that makes something for a list, and the way back to the list. */
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
  /** Hidden inputs that say where it is made. */
  place: Record<string, string>
  title: string
  description: string
  listHref: string
  button: string
  children: ReactNode
}) {
  return (
    <form action={submit}>
      <HiddenFields fields={place} />
      <Section
        title={title}
        description={description}
        footer={
          <>
            <ButtonLink href={listHref}>Cancel</ButtonLink>
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
