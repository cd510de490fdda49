import { ButtonLink } from '../ui/button-link'
import { Pagination } from '../ui/pagination'
import { ExportLinks } from './export-links'

/** Below an audit log: the way to its other pages, and out of here. */
export function LogFooter({
  hrefs,
  parameters,
  streamHref,
}: {
  hrefs: { previous: string | undefined; next: string | undefined }
  /** What the export is narrowed by. */
  parameters: Record<string, string>
  streamHref: string
}) {
  return (
    <div className="mt-4 grid gap-4">
      {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of the audit log" />}
      <div className="flex flex-wrap gap-2">
        <ExportLinks parameters={parameters} />
        <ButtonLink href={streamHref}>Stream</ButtonLink>
      </div>
    </div>
  )
}
