'use client'

import { useId, useState } from 'react'
import { Button } from './button'
import { FocusHeading, focusContent } from './focus-heading'
import { Download, TriangleAlert } from './icon'
import { ValueField } from './value-field'

/**
 * Shows a secret once. `label` is the accessible name of the read-only field (`Client secret`, `Token`), and
 * `value` is the secret. `env` contains the values of the .env download by name, in order:
 * `{ CLIENT_ID: id, CLIENT_SECRET: secret }`. If `env` is omitted, the download contains only the secret,
 * under a name derived from `label`. `children` are further values to copy, such as a ValueField for the
 * client ID. "I have stored it" closes the panel or, with `doneHref`, opens that page.
 */
export function SecretOnce({
  label,
  value,
  env,
  doneHref,
  title,
  ifLost = 'create a new one and revoke this one',
  children,
}: {
  label: string
  value: string
  env?: Record<string, string>
  doneHref?: string
  title?: string
  /** The end of the sentence that starts with "If you lose it,". */
  ifLost?: string
  children?: React.ReactNode
}) {
  const [stored, setStored] = useState(false)
  const id = useId()
  if (stored) return null
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="animate-appear grid gap-4 rounded-card border border-warning-line bg-surface p-4 sm:p-6"
    >
      <div className="flex items-start gap-2.5">
        <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" />
        <div className="grid gap-0.5">
          <h2 id={`${id}-title`} aria-describedby={`${id}-why`} className="font-semibold">
            {title ?? `Store this ${label.toLowerCase()} now`}
          </h2>
          <p id={`${id}-why`} className="text-muted">
            It won’t be shown again. If you lose it, {ifLost}.
          </p>
        </div>
      </div>
      <FocusHeading />
      {children}
      <ValueField label={label} value={value} />
      <div className="flex flex-wrap justify-between gap-2 max-sm:[&>*]:flex-1 max-sm:[&_button]:w-full">
        <Button className="needs-script" onClick={() => download(env ?? { [envName(label)]: value })}>
          <Download /> Download .env
        </Button>
        {doneHref ? (
          <form action={doneHref}>
            <Button type="submit" variant="primary">
              I have stored it
            </Button>
          </form>
        ) : (
          <Button
            variant="primary"
            className="needs-script"
            onClick={() => {
              focusContent()
              setStored(true)
            }}
          >
            I have stored it
          </Button>
        )}
      </div>
    </section>
  )
}

const envName = (label: string) => label.toUpperCase().replace(/[^A-Z0-9]+/g, '_')

function download(values: Record<string, string>) {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`)
  const url = URL.createObjectURL(new Blob(lines, { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: '.env' })
  link.click()
  URL.revokeObjectURL(url)
}
