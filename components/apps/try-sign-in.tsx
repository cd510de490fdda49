'use client'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Tried } from '@/lib/edges/oauth/try-sign-in/try-sign-in'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { TextField } from '../ui/field'
import { ChevronRight, Play } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'

/**
 * A button that starts a test sign-in, in which the admin signs in to the app. The button is primary only on
 * the overview, because the other tabs have their own primary actions.
 */
export function TrySignInButton({ address, scope }: { address: string; scope: string }) {
  const overview = usePathname() === `${address}/overview`
  return (
    <form method="post" action={`${address}/try`} className="max-sm:flex-1">
      <input type="hidden" name="scope" value={scope} />
      <Button type="submit" variant={overview ? 'primary' : 'secondary'} className="w-full">
        <Play />
        Try sign-in
      </Button>
    </form>
  )
}

/** A form to start a test sign-in with other scopes, or the reason why the app can't be tested. */
export const OtherScopes = ({
  address,
  scope,
  whyUntestable,
}: {
  address: string
  scope: string
  whyUntestable: string | undefined
}) =>
  whyUntestable ? (
    <p className="text-[13px] text-muted">{whyUntestable}</p>
  ) : (
    <details className="group min-w-0">
      <summary className="flex w-fit list-none items-center gap-1 rounded-control font-medium">
        <ChevronRight className="size-4 text-muted group-open:rotate-90" />
        Try sign-in with other scopes
      </summary>
      <form method="post" action={`${address}/try`} className="mt-3 grid gap-3">
        <TextField
          label="Scopes"
          name="scope"
          required
          spellCheck={false}
          autoCapitalize="none"
          hint="The scopes that your app requests, separated by spaces."
          defaultValue={scope}
        />
        <Button type="submit" className="justify-self-start">
          Try these scopes
        </Button>
      </form>
    </details>
  )

/**
 * Shows the result of a test sign-in: the decoded ID token, and each request and response. The server
 * shortens the secrets in the requests and responses.
 * @param answered whether the browser has returned from the consent page of a test sign-in. If so, the
 * component fetches the result. Without JavaScript, the user presses a button to fetch the result.
 */
export function TriedSignIn({ answered, action }: { answered: boolean; action: FormAction<Tried> }) {
  const [state, submit] = useFormAction(action)
  const form = useRef<HTMLFormElement>(null)
  const fetched = useRef(false)
  useEffect(() => {
    if (!answered || fetched.current) return
    fetched.current = true
    form.current?.requestSubmit()
  }, [answered])
  const tried = state.result
  if (!answered && !tried && !state.message) return null
  return (
    <section aria-label="Test sign-in" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {tried && tried.state !== 'asked' ? (
        <Result tried={tried} />
      ) : (
        <form ref={form} action={submit} className="grid gap-3">
          <FormOutcome state={state} />
          {!state.message && (
            <Alert
              title={tried ? 'You haven’t answered on the consent page' : 'You answered on the consent page'}
              action={
                <SubmitButton size="small" variant="secondary">
                  Show the ID token
                </SubmitButton>
              }
            >
              {tried
                ? 'Respond on the consent page first, or choose Try sign-in to start again.'
                : 'At this point, your app would fetch its tokens.'}
            </Alert>
          )}
        </form>
      )}
    </section>
  )
}

function Result({ tried: { state, steps, idToken, kept } }: { tried: Tried }) {
  const done = state === 'done'
  return (
    <>
      <Alert tone={done ? 'success' : 'danger'} title={done ? 'Sign-in works' : 'Sign-in failed'}>
        {!done
          ? 'The last response contains the reason.'
          : kept
            ? 'The test tokens were revoked. The app keeps the access that it had before.'
            : 'The test tokens and the access that you granted were revoked.'}
      </Alert>
      {idToken && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
          <Written label="ID token: header">{idToken.header}</Written>
          <Written label="ID token: claims">{idToken.claims}</Written>
        </div>
      )}
      <details className="group min-w-0" open={!done}>
        <summary className="flex w-fit list-none items-center gap-1 rounded-control font-medium">
          <ChevronRight className="size-4 text-muted group-open:rotate-90" />
          Requests and responses
        </summary>
        <ol aria-label="Requests and responses" className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4">
          {steps.map(({ title, request, status, answer }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are added at the end and never change
            <li key={index} className="grid grid-cols-[minmax(0,1fr)] gap-2">
              <p className="font-medium">
                {index + 1}. {title}
              </p>
              <div className="grid grid-cols-[minmax(0,1fr)] gap-2 md:grid-cols-2">
                <Written label={`Request ${index + 1}`}>{request}</Written>
                <Written
                  label={`Response ${index + 1}`}
                >{`HTTP ${status}${answer && `\n${answer}`}`}</Written>
              </div>
            </li>
          ))}
        </ol>
      </details>
    </>
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
