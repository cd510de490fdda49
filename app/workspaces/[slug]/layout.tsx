import type { ReactNode } from 'react'
import { Console } from '@/app/console'

export default async function WorkspaceLayout({
  params,
  children,
}: {
  params: Promise<{ slug: string }>
  children: ReactNode
}) {
  return <Console slug={(await params).slug}>{children}</Console>
}
