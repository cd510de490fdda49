import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { typePage } from './type-page'

type Props = { params: Promise<{ type: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).type }
}

export default async function GraphQLTypePage({ params }: Props) {
  return typePage((await params).type)?.page ?? notFound()
}
