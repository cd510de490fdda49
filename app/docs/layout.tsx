import type { Metadata } from 'next'
import DocsLayout from './docs-layout'

export const metadata: Metadata = { title: { default: 'Docs', template: '%s · Docs' } }

export default DocsLayout
