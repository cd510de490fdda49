'use client'
import { startRegistration } from '@simplewebauthn/browser'
import { Fingerprint } from 'lucide-react'
import { useActionState, useEffect, useRef } from 'react'
import { type FormAction, type FormState, untouched } from '@/lib/edges/web/forms/form-state'
import { MethodRow } from '../account/method-row'
import { FormOutcome } from '../forms/form-outcome'
import { TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { useSay } from '../ui/use-say'
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
    register: FormAction<Codes>
    rename: FormAction
    remove: FormAction
    options: FormAction<{ options: string }>
  }
}) {
  const say = useSay()
  const add = async (previous: FormState<Codes>, form: FormData): Promise<FormState<Codes>> => {
    const turn = previous.turn + 1
    const begun = await actions.options({ ...untouched, turn: previous.turn }, form)
    if (!begun.result) return { values: begun.values, fields: begun.fields, turn, ...messageOf(begun) }
    const answer = await startRegistration({ optionsJSON: JSON.parse(begun.result.options) }).catch(
      (error: Error) => error,
    )
    if (answer instanceof Error) {
      return { values: { name: String(form.get('name')) }, fields: {}, turn, message: say(reasonFor(answer)) }
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
        title={say('passkeys.title')}
        description={say('passkeys.why')}
        status={
          passkeys.length > 0
            ? {
                tone: 'good',
                text:
                  passkeys.length === 1
                    ? say('passkeys.one')
                    : say('passkeys.many', { count: passkeys.length }),
              }
            : { tone: 'off', text: say('passkeys.none') }
        }
        action={possible ? say('passkeys.unfold') : undefined}
        open={state.turn > 0 && !state.result}
        fold={fold}
        more={
          passkeys.length > 0 && (
            <ul aria-label={say('passkeys.title')}>
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
        aside={<span className="text-[13px] text-muted">{say('passkeys.address')}</span>}
      >
        <noscript>
          <p className="text-muted">{say('passkeys.script')}</p>
        </noscript>
        <form action={submit} className="needs-script grid justify-items-start gap-4">
          <FormOutcome state={state} saved={say('passkeys.added')} />
          <TextField
            label={say('passkeys.name')}
            name="name"
            required
            maxLength={60}
            autoComplete="off"
            placeholder={say('passkeys.example')}
            defaultValue={state.values.name}
            error={state.fields.name}
            className="w-full max-w-[360px]"
          />
          <OwnPasswordField asked={asksPassword} error={state.fields.password} />
          <SubmitButton>{say('passkeys.add')}</SubmitButton>
        </form>
      </MethodRow>
    </>
  )
}

const messageOf = ({ message }: { message?: string }) => (message ? { message } : {})

/** The message for what the browser says in code. */
function reasonFor(error: Error) {
  if (error.name === 'InvalidStateError') return 'passkeys.held'
  return error.name === 'NotAllowedError' ? 'passkeys.notMade' : 'passkeys.cannot'
}
