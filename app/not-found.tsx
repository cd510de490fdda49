import type { Metadata } from 'next'
import { AuthFrame } from '@/components/frame/auth-frame'
import { AuthMessage } from '@/components/frame/message-card'
import { SearchX } from '@/components/ui/icon'
import { ButtonLink } from '@/components/ui/link'
import type { Say } from '@/lib/base/language/say'
import { requestId } from '@/lib/base/log/request-scope'
import { sayToVisitor } from './auth-pages/under-next'
import { readBrand } from './brand'

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await sayToVisitor())('nothing.title'),
})

/** The not-found page, which is also shown for existing objects that the user cannot access. */
export default async function NotFound() {
  const say = await sayToVisitor()
  const brand = readBrand()
  return (
    <AuthFrame brand={brand} say={say}>
      <AuthMessage
        icon={SearchX}
        title={say('nothing.title')}
        details={referenceDetails(say)}
        action={
          <ButtonLink href="/" size="large" wide>
            {say('form.start', { service: brand.serviceName })}
          </ButtonLink>
        }
      >
        <p>{say('nothing.why')}</p>
        <p>{say('nothing.advice')}</p>
      </AuthMessage>
    </AuthFrame>
  )
}

/**
 * Returns the request ID as a detail of the page, or an empty list if the ID is unknown. Users can report the
 * ID, and instance admins can find the ID in the log.
 */
function referenceDetails(say: Say): { label: string; value: string }[] {
  const id = requestId()
  return id === undefined ? [] : [{ label: say('oauth.reference'), value: id }]
}
