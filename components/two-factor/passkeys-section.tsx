'use client'
import { startRegistration } from '@simplewebauthn/browser'
import { Fingerprint } from 'lucide-react'
import { useActionState, useEffect, useRef } from 'react'
import { type FormAction, type FormState, untouched } from '@/lib/edges/web/forms/form-state'
import { MethodRow } from '../account/method-row'
import { FormOutcome } from '../forms/form-outcome'
import { TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { OwnPasswordField } from './own-password-field'
import { type ListedPasskey, PasskeyRow } from './passkey-row'
import { RecoveryCodesOnce } from './recovery-codes-once'

type Codes = { recoveryCodes: string[] }

/** The person's passkeys, and adding another: options from the server, the browser's dialogue, the answer back. */
export function PasskeysSection({
  passkeys,
  possible,
  asksPassword,
  serviceName,
  actions,
}: {
  passkeys: ListedPasskey[]
  /** Whether browsers offer passkeys at this address. */
  possible: boolean
  asksPassword: boolean
  serviceName: string
  actions: {
    options: FormAction<{ options: string }>
    register: FormAction<Codes>
    rename: FormAction
    remove: FormAction
  }
}) {
  const add = async (previous: FormState<Codes>, form: FormData): Promise<FormState<Codes>> => {
    const turn = previous.turn + 1
    const begun = await actions.options({ ...untouched, turn: previous.turn }, form)
    if (!begun.result) return { values: begun.values, fields: begun.fields, turn, ...messageOf(begun) }
    const answer = await startRegistration({ optionsJSON: JSON.parse(begun.result.options) }).catch(
      (error: Error) => error,
    )
    if (answer instanceof Error) {
      return { values: { name: String(form.get('name')) }, fields: {}, turn, message: explain(answer) }
    }
    form.set('response', JSON.stringify(answer))
    form.delete('password')
    return actions.register(previous, form)
  }
  const [state, submit] = useActionState(add, untouched)
  const fold = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (state.result && fold.current) fold.current.open = false
  }, [state])
  return (
    <>
      {state.result && <RecoveryCodesOnce codes={state.result.recoveryCodes} serviceName={serviceName} />}
      <MethodRow
        icon={Fingerprint}
        title="Passkeys"
        description="Your fingerprint, face or device PIN. Passkeys can’t be phished."
        status={
          passkeys.length > 0
            ? { tone: 'good', text: passkeys.length === 1 ? '1 passkey' : `${passkeys.length} passkeys` }
            : { tone: 'off', text: 'None' }
        }
        action={possible ? 'Add' : undefined}
        open={state.turn > 0 && !state.result}
        fold={fold}
        more={
          passkeys.length > 0 && (
            <ul aria-label="Passkeys">
              {passkeys.map((passkey) => (
                <PasskeyRow
                  key={passkey.id}
                  passkey={passkey}
                  asksPassword={asksPassword}
                  rename={actions.rename}
                  remove={actions.remove}
                />
              ))}
            </ul>
          )
        }
        aside={<span className="text-[13px] text-muted">Needs https and a host name, or localhost.</span>}
      >
        <noscript>
          <p className="text-muted">Adding a passkey takes a browser that runs scripts.</p>
        </noscript>
        <form action={submit} className="needs-script grid justify-items-start gap-4">
          <FormOutcome state={state} saved="Passkey added" />
          <TextField
            label="Passkey name"
            name="name"
            required
            maxLength={60}
            autoComplete="off"
            placeholder="Work laptop"
            defaultValue={state.values.name}
            error={state.fields.name}
            className="w-full max-w-[360px]"
          />
          <OwnPasswordField asked={asksPassword} error={state.fields.password} />
          <SubmitButton>Add passkey</SubmitButton>
        </form>
      </MethodRow>
    </>
  )
}

const messageOf = ({ message }: { message?: string }) => (message ? { message } : {})

/** What the browser says in code, in words. */
function explain(error: Error): string {
  if (error.name === 'InvalidStateError') return 'This device holds a passkey of yours already.'
  if (error.name === 'NotAllowedError') return 'No passkey was made. Try again.'
  return 'This browser could not make a passkey. Try another browser or device.'
}
