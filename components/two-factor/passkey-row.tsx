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
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b py-3 last:border-b-0">
      <KeyRound aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name} {synced && <Badge>Synced</Badge>}
        </p>
        <p className="text-[13px] text-muted">
          added <Time at={createdAt} />
          {lastUsedAt && (
            <>
              {' '}
              · last used <Time at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <RenamePasskey id={id} name={name} action={rename} />
      <ConfirmAction
        trigger="Remove"
        triggerLabel={`Remove ${name}`}
        triggerLook={{ size: 'small' }}
        title={`Remove ${name}?`}
        confirmLabel="Remove passkey"
        done="Passkey removed"
        action={remove}
        fields={{ id }}
      >
        <p>It no longer signs you in here. Delete it on the device as well.</p>
        <OwnPasswordField asked={asksPassword} />
      </ConfirmAction>
    </li>
  )
}

/** Unfolds a field for the new name, without a script too; folds again once it is saved. */
function RenamePasskey({ id, name, action }: { id: string; name: string; action: FormAction }) {
  const fold = useRef<HTMLDetailsElement>(null)
  const [state, submit] = useToldAction(action, {
    done: 'Passkey renamed',
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
        Rename<span className="sr-only"> {name}</span>
      </summary>
      <form action={submit} className="mt-3 grid justify-items-start gap-3">
        <input type="hidden" name="id" value={id} />
        <FormOutcome state={state} />
        <TextField
          label="New name"
          name="name"
          required
          maxLength={60}
          autoComplete="off"
          defaultValue={state.values.name ?? name}
          error={state.fields.name}
          className="w-full max-w-[360px]"
        />
        <SubmitButton variant="secondary">Save name</SubmitButton>
      </form>
    </details>
  )
}
