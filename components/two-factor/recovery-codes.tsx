'use client'

import { useId, useState } from 'react'
import { FocusHeading, focusContent } from '@/components/ui/focus-heading'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { MethodRow } from '../account/method-row'
import { reasonIn } from '../forms/action-button'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Button } from '../ui/button'
import { CopyButton } from '../ui/copy-button'
import { Download, Ticket, TriangleAlert } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'
import { useSay } from '../ui/use-say'
import { OwnPasswordField } from './own-password-field'

/**
 * Shows recovery codes once, with buttons to copy and download them. "I have stored them" closes the panel.
 */
export function RecoveryCodesOnce({ codes, serviceName }: { codes: string[]; serviceName: string }) {
  const say = useSay()
  const [stored, setStored] = useState(false)
  const id = useId()
  if (stored || codes.length === 0) return null
  return (
    <section
      aria-label={say('codes.title')}
      className="animate-appear m-4 grid grid-cols-[minmax(0,1fr)] gap-4 rounded-card border border-warning-line bg-surface p-3 sm:p-6"
    >
      <div className="flex items-start gap-2.5">
        <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" />
        <div className="grid min-w-0 gap-0.5">
          <h2 aria-describedby={id} className="font-semibold">
            {say('codes.store')}
          </h2>
          <p id={id} className="text-muted">
            {say('codes.why')}
          </p>
        </div>
      </div>
      <FocusHeading />
      {/* A code must stay on one line. On narrow screens, the font size depends on the width of the list. */}
      <ul
        dir="ltr"
        className="grid grid-cols-[repeat(auto-fill,minmax(min(240px,100%),1fr))] gap-x-6 gap-y-1.5 rounded-control border bg-background px-2.5 py-3 font-mono [container-type:inline-size] sm:px-4"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap text-[min(13px,5.6cqi)] leading-[18px]">
            {code}
          </li>
        ))}
      </ul>
      <div className="grid gap-2 sm:flex sm:flex-wrap sm:justify-between">
        <div className="flex flex-wrap gap-2 max-sm:[&>*]:flex-1">
          <CopyButton value={codes.join('\n')} label={say('codes.copy')} size="medium" />
          <Button
            className="needs-script"
            onClick={() => download(codes, serviceName, say('codes.of', { service: serviceName }))}
          >
            <Download /> {say('codes.download')}
          </Button>
        </div>
        <Button
          variant="primary"
          className="needs-script"
          onClick={() => {
            focusContent()
            setStored(true)
          }}
        >
          {say('codes.stored')}
        </Button>
      </div>
    </section>
  )
}

function download(codes: string[], serviceName: string, title: string) {
  const text = `${title}\n\n${codes.join('\n')}\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const name = `${serviceName.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-recovery-codes.txt`
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}

/**
 * Shows how many recovery codes are left, with a form to replace them with new codes. The new codes are shown
 * once.
 */
export function RecoveryCodesSection({
  left,
  asksPassword,
  serviceName,
  action,
}: {
  left: number
  asksPassword: boolean
  serviceName: string
  action: FormAction<{ recoveryCodes: string[] }>
}) {
  const say = useSay()
  const [state, submit] = useFormAction(action)
  return (
    <>
      {state.result && (
        <RecoveryCodesOnce key={state.turn} codes={state.result.recoveryCodes} serviceName={serviceName} />
      )}
      <MethodRow
        icon={Ticket}
        title={say('codes.title')}
        description={say('codes.each')}
        status={{ tone: left > 3 ? 'good' : 'warning', text: say('codes.left', { count: left }) }}
        action={say('codes.unfold')}
        open={reasonIn(state) !== undefined}
      >
        <form action={submit} className="grid justify-items-start gap-4">
          <FormOutcome state={state} />
          <p className="text-muted text-sm">{say('codes.stop')}</p>
          <OwnPasswordField asked={asksPassword} error={state.fields.password} />
          <SubmitButton>{say('codes.make')}</SubmitButton>
        </form>
      </MethodRow>
    </>
  )
}
