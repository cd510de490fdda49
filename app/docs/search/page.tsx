import type { Metadata } from 'next'
import { searchPage } from './search-page'

export const metadata: Metadata = { title: 'Search' }

type Props = { searchParams: Promise<{ q?: string | string[] }> }

export default async function SearchPage({ searchParams }: Props) {
  return (await searchPage([(await searchParams).q].flat()[0])).page
}
