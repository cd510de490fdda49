'use client'
import { useState } from 'react'
import type { Setting } from '@/lib/features/instance-admin/read-instance'
import { useScripted } from '../forms/hydration'
import { SearchBar } from '../lists/search-bar'
import { Badge } from '../ui/badge'
import { Breakable } from '../ui/breakable'
import { Card } from '../ui/card'
import { Cell, Head, Row, Table } from '../ui/table'

const sources = {
  environment: <Badge tone="accent">Environment</Badge>,
  LATCHKEY_SETTINGS: <Badge tone="accent">LATCHKEY_SETTINGS</Badge>,
  console: <Badge tone="success">Console</Badge>,
  default: <Badge>Default</Badge>,
}

/**
 * Lists all settings of the process that renders the page, with their sources. With JavaScript, users can
 * search by name or value.
 */
export function SettingsTable({ settings }: { settings: Setting[] }) {
  const [search, setSearch] = useState('')
  const scripted = useScripted()
  const wanted = search.trim().toLowerCase()
  const found = settings.filter(({ name, value }) => `${name}\n${value}`.toLowerCase().includes(wanted))
  return (
    <Card className="overflow-clip">
      {scripted && (
        <SearchBar
          label="Search settings"
          placeholder="Search by name or value"
          value={search}
          onSearch={setSearch}
          status={`${found.length} of ${settings.length}`}
        />
      )}
      {found.length === 0 ? (
        <p className="px-4 py-6 text-center text-muted">No settings match “{search.trim()}”.</p>
      ) : (
        <SettingRows settings={found} />
      )}
    </Card>
  )
}

function SettingRows({ settings }: { settings: Setting[] }) {
  return (
    <Table
      caption="Settings"
      unlabelled
      head={['Setting', 'Value', 'Source'].map((column) => <Head key={column}>{column}</Head>)}
    >
      {settings.map(({ name, value, from }) => (
        // On phones, the source is next to the name, and the value is below them. The important classes
        // override the columns that every block has.
        <Row key={name} className="max-sm:grid-cols-[minmax(0,1fr)_auto]!">
          <Cell className="font-mono text-[13px] max-sm:col-auto! sm:whitespace-nowrap">
            <Breakable text={name} />
          </Cell>
          <Cell className="wrap-anywhere max-sm:order-1 max-sm:col-span-full">
            {value ? <Breakable text={value} /> : <span className="text-muted">not set</span>}
          </Cell>
          <Cell>{sources[from]}</Cell>
        </Row>
      ))}
    </Table>
  )
}
