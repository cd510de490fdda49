'use client'
import type { ReactNode } from 'react'
import type { Tried } from '@/lib/edges/oauth/try-sign-in/try-sign-in'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { TextLink } from '../ui/text-link'

/** Signs the admin in to the app step by step and shows each request and response. The server shortens secrets. */
export function TrySignInSection({
  clientId,
  scope,
  whyUntestable,
  action,
}: {
  clientId: string
  /** The initial scope parameter. */
  scope: string
  /** The reason why the app cannot be tested. */
  whyUntestable: string | undefined
  action: FormAction<Tried>
}) {
  const [state, submit] = useFormAction(action)
  const tried = state.result
  const again = tried?.state !== 'asked'
  if (whyUntestable) {
    return (
      <Section title="Try sign-in">
        <p className="text-muted">{whyUntestable}</p>
      </Section>
    )
  }
  return (
    <form action={submit}>
      <HiddenFields fields={{ id: clientId, ...(tried?.pending && { pending: tried.pending }) }} />
      <Section
        title="Try sign-in"
        description="Signs you in to this app with the device flow and shows each request and response. Its tokens are revoked immediately and never reach your browser."
        footer={
          <SubmitButton variant="secondary" className="ml-auto">
            {again ? (tried ? 'Try again' : 'Try sign-in') : 'Continue'}
          </SubmitButton>
        }
      >
        <FormOutcome state={state} />
        {again && (
          <TextField
            label="Scope"
            name="scope"
            required
            spellCheck={false}
            autoCapitalize="none"
            hint="The scopes that your app requests, separated by spaces."
            defaultValue={state.values.scope ?? scope}
            error={state.fields.scope}
          />
        )}
        {tried && <Steps tried={tried} />}
      </Section>
    </form>
  )
}

function Steps({ tried: { state, steps, answerHref, idToken, kept } }: { tried: Tried }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ol aria-label="Requests and responses" className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {steps.map(({ title, request, status, answer }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are added at the end and never change
          <li key={index} className="grid grid-cols-[minmax(0,1fr)] gap-2">
            <p className="font-medium">
              {index + 1}. {title}
            </p>
            <Written label={`Request ${index + 1}`}>{request}</Written>
            <Written label={`Response ${index + 1}`}>{`HTTP ${status}${answer && `\n${answer}`}`}</Written>
          </li>
        ))}
      </ol>
      {idToken && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <p className="font-medium">The ID token, decoded</p>
          <Written label="Header">{idToken.header}</Written>
          <Written label="Claims">{idToken.claims}</Written>
        </div>
      )}
      <p role="status" className="text-muted">
        {state === 'asked' && answerHref ? (
          <>
            <TextLink href={answerHref} target="_blank" rel="noopener">
              Open the consent page
            </TextLink>
            , approve, then come back. This replaces any access you gave this app before.
          </>
        ) : state === 'done' ? (
          kept ? (
            'Sign-in works. The test tokens were revoked. The app keeps the access it had before.'
          ) : (
            'Sign-in works. The test tokens and access were revoked.'
          )
        ) : (
          'Sign-in failed. See the last response for the reason.'
        )}
      </p>
    </div>
  )
}

const Written = ({ label, children }: { label: string; children: ReactNode }) => (
  <figure className="min-w-0 overflow-clip rounded-card border bg-surface">
    <figcaption className="border-b bg-raised px-4 py-1 text-[13px] text-muted">{label}</figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
    <pre tabIndex={0} className="overflow-x-auto px-4 py-3 font-mono text-[13px] leading-5">
      {children}
    </pre>
  </figure>
)
