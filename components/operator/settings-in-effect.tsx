import type { Setting } from '@/lib/features/operator/read-instance'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { Cell, Head, Row, Table } from '../ui/table'

const sources = {
  environment: <Badge tone="accent">Environment</Badge>,
  console: <Badge tone="success">Console</Badge>,
  default: <Badge>Default</Badge>,
}

/** Every setting of the process that draws the page, with who says so. */
export function SettingsInEffect({ settings }: { settings: Setting[] }) {
  return (
    <Section
      title="Settings in effect"
      description="The environment overrides what you choose above. Secrets are masked."
      flush
    >
      <Table
        caption="Settings"
        head={['Setting', 'Value', 'From'].map((column) => <Head key={column}>{column}</Head>)}
      >
        {settings.map(({ name, value, from }) => (
          <Row key={name}>
            <Cell className="font-mono text-[13px]">{name}</Cell>
            <Cell className="break-all max-sm:col-span-full">
              {value || <span className="text-muted">not set</span>}
            </Cell>
            <Cell>{sources[from]}</Cell>
          </Row>
        ))}
      </Table>
    </Section>
  )
}
