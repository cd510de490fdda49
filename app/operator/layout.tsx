import type { ReactNode } from 'react'
import { Console } from '@/app/console'
import { operatorArea } from '@/lib/web/console-pages'

export default function OperatorLayout({ children }: { children: ReactNode }) {
  return <Console area={operatorArea}>{children}</Console>
}
