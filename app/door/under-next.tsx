import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import type { DoorPage, Visit } from './door-page'

type Props = {
  params: Promise<Record<string, string>>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Once a request, for its title and for itself: showing a page may move an app's request on. */
const showOnce = cache(async (page: DoorPage, where: string) =>
  page.show({ ...(JSON.parse(where) as Pick<Visit, 'params' | 'query'>), headers: await headers() }),
)

const show = async (page: DoorPage, { params, searchParams }: Props) =>
  showOnce(page, JSON.stringify({ params: await params, query: await searchParams }))

/**
 * A page at the door as a page of Next: `next dev`, plain `next start`, functions on demand. The document around it is drawn
 * before anybody knows in which language an app's request waits, so the page says its own.
 */
export const underNext = (page: DoorPage) =>
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

/** Its `generateMetadata`. */
export const metadataOf =
  (page: DoorPage) =>
  async (props: Props): Promise<Metadata> => {
    const shown = await show(page, props)
    return {
      ...(!shown || 'to' in shown ? {} : { title: shown.title }),
      ...(page.referrer && { referrer: page.referrer }),
    }
  }
