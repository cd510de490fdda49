import type { ReactNode } from 'react'
import { DocsFrame } from '@/components/docs/docs-frame'
import { NavLink } from '@/components/frame/nav-link'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { readBrand } from '../brand'

/** The frame of docs pages that Next renders. Our own server renders docs pages with ./draw-docs instead. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <DocsFrame
      brand={readBrand()}
      groups={docsNavigation}
      link={({ href, ...rest }) => <NavLink href={href} exact={href === '/docs'} {...rest} />}
    >
      {children}
    </DocsFrame>
  )
}
