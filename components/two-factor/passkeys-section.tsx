'use client'

import { startRegistration } from '@simplewebauthn/browser'
import { useEffect, useRef } from 'react'
import { type FormAction, type FormState, untouched } from '@/lib/edges/web/forms/form-state'
import { MethodRow } from '../account/method-row'
import { ConfirmAction, reasonIn, useAnnouncedAction } from '../forms/action-button'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Badge } from '../ui/badge'
import { buttonClass } from '../ui/button'
import { TextField } from '../ui/field'
import { Fingerprint, KeyRound } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'
import { Time } from '../ui/time'
import { useSay } from '../ui/use-say'
import { OwnPasswordField } from './own-password-field'
import { RecoveryCodesOnce } from './recovery-codes'

type Codes = { recoveryCodes: string[] }

/**
 * Lists the user's passkeys, with a form to add another if `possible` is true. To add a passkey, the form
 * requests options from the server, opens the browser's dialog, and sends the browser's response to the
 * server.
 */
export function PasskeysSection({
  passkeys,
  possible,
  asksPassword,
  serviceName,
  actions,
}: {
  passkeys: ListedPasskey[]
  /** Whether browsers offer passkeys at the URL of this page. */
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
  const [state, submit] = useFormAction(add)
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

/** Returns the key of the message for an error from the browser. */
function reasonFor(error: Error) {
  if (error.name === 'InvalidStateError') return 'passkeys.held'
  return error.name === 'NotAllowedError' ? 'passkeys.notMade' : 'passkeys.cannot'
}

export type ListedPasskey = {
  id: string
  name: string
  synced: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

/** Shows one passkey: its name, its dates, and its actions. */
function PasskeyRow({
  passkey: { id, name, synced, createdAt, lastUsedAt },
  asksPassword,
  rename,
  remove,
}: {
  passkey: ListedPasskey
  asksPassword: boolean
  rename: FormAction
  remove: FormAction
}) {
  const say = useSay()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b py-3 last:border-b-0">
      <KeyRound className="size-5 shrink-0 text-muted" />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name} {synced && <Badge>{say('passkeys.synced')}</Badge>}
        </p>
        <p className="text-[13px] text-muted">
          <Moment sentence={say('passkeys.since', { time: gap })} at={createdAt} />
          {lastUsedAt && (
            <>
              {' · '}
              <Moment sentence={say('passkeys.used', { time: gap })} at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <RenamePasskey id={id} name={name} action={rename} />
      <ConfirmAction
        trigger={say('shared.remove')}
        triggerLabel={say('passkeys.removeNamed', { name })}
        triggerLook={{ size: 'small' }}
        title={say('passkeys.removeAsk', { name })}
        confirmLabel={say('passkeys.remove')}
        done={say('passkeys.removed')}
        action={remove}
        fields={{ id }}
      >
        <p>{say('passkeys.removeWhy')}</p>
        <OwnPasswordField asked={asksPassword} />
      </ConfirmAction>
    </li>
  )
}

/** The mark for the position of the time in a sentence. No message contains this character. */
const gap = '\n'

function Moment({ sentence, at }: { sentence: string; at: Date }) {
  const [before, after] = sentence.split(gap)
  const { language } = useSay()
  return (
    <>
      {before}
      <Time at={at} language={language} />
      {after}
    </>
  )
}

/**
 * Lets the user rename a passkey. The field unfolds even without JavaScript. On success, the field closes,
 * and the button receives the focus.
 */
function RenamePasskey({ id, name, action }: { id: string; name: string; action: FormAction }) {
  const say = useSay()
  const fold = useRef<HTMLDetailsElement>(null)
  const [state, submit] = useAnnouncedAction(action, {
    done: say('passkeys.renamed'),
    whenDone: () => {
      if (!fold.current) return
      fold.current.open = false
      fold.current.querySelector('summary')?.focus()
    },
  })
  return (
    <details ref={fold} open={reasonIn(state) !== undefined} className="open:order-last open:basis-full">
      <summary
        className={buttonClass({
          size: 'small',
          className: 'w-fit cursor-pointer list-none [&::-webkit-details-marker]:hidden',
        })}
      >
        {say('passkeys.rename')}
        <span className="sr-only"> {name}</span>
      </summary>
      <form action={submit} className="mt-3 grid justify-items-start gap-3">
        <input type="hidden" name="id" value={id} />
        <FormOutcome state={state} />
        <TextField
          label={say('passkeys.newName')}
          name="name"
          required
          maxLength={60}
          autoComplete="off"
          defaultValue={state.values.name ?? name}
          error={state.fields.name}
          className="w-full max-w-[360px]"
        />
        <SubmitButton variant="secondary">{say('passkeys.saveName')}</SubmitButton>
      </form>
    </details>
  )
}
