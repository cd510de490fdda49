import { addressOf } from '@/lib/edges/web/console/list-page'
import { buttonClass } from '../ui/button'

const formats = [
  { format: 'ndjson', label: 'Export NDJSON' },
  { format: 'csv', label: 'Export CSV' },
]

/** What is listed as a file, all of it. Plain links: whatever follows them ahead of a click would export. */
export function ExportLinks({ parameters }: { parameters: Record<string, string> }) {
  return formats.map(({ format, label }) => (
    <a
      key={format}
      href={addressOf('/audit-log/export', { ...parameters, format })}
      download
      className={buttonClass()}
    >
      {label}
    </a>
  ))
}
