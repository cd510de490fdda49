import type { ReactNode } from 'react'
import { providerButtons } from '@/app/auth-pages/auth-page'
import { SignInPage } from '@/components/auth/sign-in-page'
import { ConsentPage } from '@/components/consent/consent-page'
import { scopePermissions } from '@/components/consent/permission-list'
import { accentStyle } from '@/components/ui/accent'
import { sayIn } from '@/lib/base/language/say'
import { canSendMail } from '@/lib/base/mail/send-mail'
import { canUsePasskeys } from '@/lib/features/identity/passkeys/challenges'
import type { BrowserSession } from '@/lib/features/identity/sessions/find-live-session'
import { draftBrand } from '@/lib/features/instance-settings/change-settings'
import { brandLinks } from '@/lib/features/pictures/login-button'
import { roleFromScopes, type Scope } from '@/lib/policy/scopes'

/** The preview on the branding page: the pages, the colors, and the problems with the values. */
export type Preview = {
  pages: Record<'signIn' | 'consent', ReactNode>
  style: Record<string, string>
  problems: Record<string, string>
}

const app = {
  id: 'example',
  name: 'Example App',
  profile: {
    description: 'Ships what you build.',
    website: 'https://app.example.com',
    support: null,
    privacyUrl: null,
    termsUrl: null,
  },
  workspaceName: 'Example Inc.',
}

const scopes: Scope[] = ['openid', 'profile', 'email', 'project:member']

const asked = roleFromScopes(new Set(scopes), 'project')

const project = (name: string, selected: boolean) => ({ id: name, name, own: asked, selected })

/**
 * Returns a preview of the sign-in and consent pages with the entered branding. For each invalid, missing, or
 * locked setting, the preview uses the current value. The preview uses the components of the auth pages.
 * @param typed the entered values by the name of the setting
 * @throws AppError FORBIDDEN if the user is not an instance admin
 */
export function drawPreview({ actor, user }: BrowserSession, typed: Record<string, string>): Preview {
  const { values, problems } = draftBrand(actor, typed)
  const say = sayIn('en')
  const set = (name: string) => values[name] || undefined
  const brand = {
    serviceName: values.serviceName as string,
    logoUrl: set('logoUrl'),
    logoDarkUrl: set('logoDarkUrl'),
    links: brandLinks({
      helpUrl: set('helpUrl'),
      termsUrl: set('termsUrl'),
      privacyUrl: set('privacyUrl'),
    }),
  }
  return {
    problems,
    style: accentStyle(values.accentColor),
    pages: {
      signIn: (
        <SignInPage
          say={say}
          brand={brand}
          heading={say('login.heading', { service: brand.serviceName })}
          action=""
          providers={providerButtons()}
          passkey={canUsePasskeys()}
          forgot={canSendMail()}
        />
      ),
      consent: (
        <ConsentPage
          say={say}
          brand={brand}
          app={app}
          user={user}
          permissions={scopePermissions(say, scopes, [])}
          action=""
          switchAccountAction=""
          returnHost="app.example.com"
          asked={{ workspace: undefined, project: asked }}
          projects={[
            {
              id: 'example',
              heading: 'Example Inc.',
              options: [project('Website', true), project('Shop', false)],
            },
          ]}
        />
      ),
    },
  }
}
