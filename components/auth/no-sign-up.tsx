import type { Say } from '@/lib/base/language/say'
import type { Brand } from '../frame/brand'
import { CardHeading } from '../frame/card-heading'

/** In place of the form, where no account is made: for nobody, or only for whoever follows an invitation. */
export const NoSignUp = ({ say, brand, door }: { say: Say; brand: Brand; door: 'invited' | 'closed' }) =>
  door === 'invited' ? (
    <CardHeading title={say('signup.invited')}>
      {say('signup.invitedText', { service: brand.serviceName })}
    </CardHeading>
  ) : (
    <CardHeading title={say('signup.closed')}>
      {say('signup.closedText', { service: brand.serviceName })}
    </CardHeading>
  )
