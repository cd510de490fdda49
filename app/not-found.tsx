import { SearchX } from 'lucide-react'
import type { Metadata } from 'next'
import { CardFrame } from '@/components/frame/card-frame'
import { MessageCard } from '@/components/frame/message-card'
import { ButtonLink } from '@/components/ui/button-link'
import { readBrand } from './brand'
import { referenceDetails } from './reference-details'

export const metadata: Metadata = { title: 'Page not found' }

/** Also what a person sees of things that they may not know of. */
export default function NotFound() {
  return (
    <CardFrame brand={readBrand()}>
      <MessageCard
        icon={SearchX}
        title="Page not found"
        details={referenceDetails()}
        action={<ButtonLink href="/">Go to the start</ButtonLink>}
      >
        <p>This address leads nowhere, or to something that you have no access to.</p>
        <p>Check the address, or ask a workspace admin to invite you.</p>
      </MessageCard>
    </CardFrame>
  )
}
