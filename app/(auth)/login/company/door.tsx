import { readBrand } from '@/app/brand'
import { type DoorPage, one, refusedForm, sayTo, withNext } from '@/app/door/door-page'
import { CompanyForm } from '@/components/auth/other-sign-in'
import { DoorFrame } from '@/components/frame/door-frame'
import { CardHeading } from '@/components/ui/card'
import { TextAnchor } from '@/components/ui/text-anchor'

/** Asks for the address by whose domain the company is found; `?next=` is where the person goes afterwards. */
export const companySignIn: DoorPage = {
  async show(visit) {
    const say = sayTo(visit)
    const next = one(visit, 'next')
    const page = (
      <DoorFrame brand={readBrand()} say={say}>
        <CardHeading title={say('login.company')}>{say('company.lead')}</CardHeading>
        <CompanyForm say={say} next={next} refused={refusedForm(visit, say)} />
        <p className="mt-4 text-center text-muted text-sm">
          <TextAnchor href={withNext('/login', next)} className="text-muted">
            {say('company.back')}
          </TextAnchor>
        </p>
      </DoorFrame>
    )
    return { say, title: say('login.company'), page }
  },
}
