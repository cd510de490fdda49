import type { ReactNode } from 'react'
import { Console } from '@/app/console'
import { operatorArea } from '@/lib/edges/web/console/console-pages'

export default function OperatorLayout({ children }: { children: ReactNode }) {
  return <Console area={operatorArea}>{children}</Console>
}
