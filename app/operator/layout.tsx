import type { ReactNode } from 'react'
import { Console } from '@/app/console'

export default function OperatorLayout({ children }: { children: ReactNode }) {
  return <Console>{children}</Console>
}
