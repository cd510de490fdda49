'use client'
import { KeyRound } from 'lucide-react'
import { useRef } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/confirm-action'
import { FormOutcome } from '../forms/form-outcome'
import { reasonIn, useToldAction } from '../forms/use-told-action'
import { Badge } from '../ui/badge'
import { buttonClass } from '../ui/button'
import { TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { Time } from '../ui/time'
import { useSay } from '../ui/use-say'
import { OwnPasswordField } from './own-password-field'

export type ListedPasskey = {
  id: string
  name: string
  synced: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

/** One passkey: what it is called, since when it is here, and what can be done to it. */
export function PasskeyRow({
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
      <KeyRound aria-hidden className="size-5 shrink-0 text-muted" />
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

/** Where the time stands in a sentence: no message holds this. */
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

/** Unfolds a field for the new name, without a script too; folds again once it is saved. */
function RenamePasskey({ id, name, action }: { id: string; name: string; action: FormAction }) {
  const say = useSay()
  const fold = useRef<HTMLDetailsElement>(null)
  const [state, submit] = useToldAction(action, {
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
