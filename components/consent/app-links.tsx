import type { ConsentApp } from './types'

/** Where an app says what it does with data and on which terms. They open beside the page, which keeps what was chosen. */
export function AppLinks({ app }: { app: ConsentApp }) {
  const links = [
    { label: 'Privacy policy', href: app.policyUrl },
    { label: 'Terms', href: app.termsUrl },
  ].filter(({ href }) => href)
  if (links.length === 0) return null
  return (
    <p className="flex flex-wrap gap-x-3 text-[13px] text-muted leading-5">
      <span>From {app.name}:</span>
      {links.map(({ label, href }) => (
        <a
          key={label}
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          className="text-link underline decoration-link/40 underline-offset-3 hover:decoration-link"
        >
          {label}
        </a>
      ))}
    </p>
  )
}
