import { ShieldCheck } from 'lucide-react'
import { ListSearch } from '../lists/list-search'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { InstalledTable, type ListedInstalled } from './installed-table'

/** Installed apps with a search, which a short list needs none of. */
export function InstalledSection({
  apps,
  path,
  search,
  searchable,
}: {
  apps: ListedInstalled[]
  path: string
  search: string
  searchable: boolean
}) {
  return (
    <div>
      {searchable && (
        <div className="mb-4 flex">
          <ListSearch path={path} label="Search apps and requests" value={search} />
        </div>
      )}
      <Section
        title="Installed apps"
        description="Apps that members let in, and those you decided about."
        flush
      >
        {apps.length === 0 ? (
          <EmptyState icon={ShieldCheck} title={search ? 'No app matches' : 'No apps yet'}>
            An app appears here once a member has let it in.
          </EmptyState>
        ) : (
          <InstalledTable apps={apps} path={path} />
        )}
      </Section>
    </div>
  )
}
