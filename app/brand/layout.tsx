import type { ReactNode } from 'react'
import { DocsFrame } from '@/components/docs/docs-frame'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { readBrand } from '../brand'

export default function BrandLayout({ children }: { children: ReactNode }) {
  return (
    <DocsFrame brand={readBrand()} groups={docsNavigation}>
      {children}
    </DocsFrame>
  )
}
