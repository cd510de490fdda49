import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { DocsFrame } from '@/components/docs/docs-frame'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { readBrand } from '../brand'

export const metadata: Metadata = { title: { default: 'Docs', template: '%s · Docs' } }

export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <DocsFrame brand={readBrand()} groups={docsNavigation}>
      {children}
    </DocsFrame>
  )
}
