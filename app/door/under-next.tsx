import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { DoorPage } from './door-page'

type Props = {
  params: Promise<Record<string, string>>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** A page at the door as a page of Next: `next dev`, plain `next start`, functions on demand. */
export const underNext = (page: DoorPage) =>
  async function Page({ params, searchParams }: Props) {
    const visit = { params: await params, query: await searchParams, headers: await headers() }
    const shown = await page.show(visit)
    return 'to' in shown ? redirect(shown.to) : shown
  }

export const metadataOf = ({ title, referrer }: DoorPage): Metadata =>
  referrer ? { title, referrer } : { title }
