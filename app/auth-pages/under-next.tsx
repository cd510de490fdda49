import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { languageFrom } from '@/lib/base/http/visitor'
import { type Say, sayIn } from '@/lib/base/language/say'
import type { AuthPage, Visit } from './auth-page'

type Props = {
  params: Promise<Record<string, string>>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/**
 * Returns the result of a page's `show` method. Calls the method once per request for both the metadata and
 * the content, because each call can advance an authorization request.
 */
const showOnce = cache(async (page: AuthPage, where: string) =>
  page.show({ ...(JSON.parse(where) as Pick<Visit, 'params' | 'query'>), headers: await headers() }),
)

const show = async (page: AuthPage, { params, searchParams }: Props) =>
  showOnce(page, JSON.stringify({ params: await params, query: await searchParams }))

/**
 * Returns the exports for the `page.tsx` of an auth page. Next uses them on hosts where Next owns the process
 * (`next dev`, plain `next start`, and functions), and for pages that our own server failed to render. Next
 * renders `<html>` before the language of the authorization request is known, so the language is set on an
 * element around the page.
 */
export function underNext(page: AuthPage) {
  async function generateMetadata(props: Props): Promise<Metadata> {
    const shown = await show(page, props)
    return {
      ...(!shown || 'to' in shown ? {} : { title: shown.title }),
      ...(page.referrer && { referrer: page.referrer }),
    }
  }
  async function Page(props: Props) {
    const shown = await show(page, props)
    if (!shown) notFound()
    if ('to' in shown) redirect(shown.to)
    const { language, direction } = shown.say
    return (
      <div lang={language} dir={direction} className="contents">
        {shown.page}
      </div>
    )
  }
  return { generateMetadata, Page }
}

/**
 * Returns the translator for a page that only Next renders and that is not part of an authorization request.
 */
export const sayToVisitor = async (): Promise<Say> => sayIn(languageFrom(await headers()))
