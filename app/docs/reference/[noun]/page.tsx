import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { nounPage } from './noun-page'

type Props = { params: Promise<{ noun: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: nounPage((await params).noun)?.title ?? 'Unknown' }
}

export default async function ReferenceNounPage({ params }: Props) {
  return nounPage((await params).noun)?.page ?? notFound()
}
