import { SearchX } from 'lucide-react'
import type { Metadata } from 'next'
import { AuthFrame } from '@/components/frame/auth-frame'
import { MessageCard } from '@/components/frame/message-card'
import { ButtonLink } from '@/components/ui/button-link'
import { sayToVisitor } from './auth-pages/under-next'
import { readBrand } from './brand'
import { referenceDetails } from './reference-details'

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await sayToVisitor())('nothing.title'),
})

/** Also what a person sees of things that they may not know of. */
export default async function NotFound() {
  const say = await sayToVisitor()
  const brand = readBrand()
  return (
    <AuthFrame brand={brand} say={say}>
      <MessageCard
        icon={SearchX}
        title={say('nothing.title')}
        details={referenceDetails(say)}
        action={<ButtonLink href="/">{say('form.start', { service: brand.serviceName })}</ButtonLink>}
      >
        <p>{say('nothing.why')}</p>
        <p>{say('nothing.advice')}</p>
      </MessageCard>
    </AuthFrame>
  )
}
