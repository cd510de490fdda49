import {
  claimDomain,
  domainsOf,
  graceDays,
  proofOf,
  removeDomain,
  verifyDomain,
} from '@/lib/features/apps/app-domain'
import { type LogoTheme, removeLogo, setLogo } from '@/lib/features/apps/change-logo'
import { requireApp } from '@/lib/features/apps/require-app'
import type { AppDomain } from '@/lib/generated/prisma/client'
import { builder, describeRole } from '../builder'
import { defineLoader } from '../context'
import { OAuthApp } from './oauth-app'

const Domain = builder.objectRef<AppDomain>('OAuthAppDomain').implement({
  description: 'A domain that is shown with an app after the app’s admins prove that they own it.',
  fields: (t) => ({
    domain: t.exposeString('domain', { description: 'The domain name.' }),
    proof: t.string({
      description: 'The value that the DNS record or the file must contain. It is not a secret.',
      resolve: (claim) => proofOf(claim).text,
    }),
    recordName: t.string({
      description: 'The name of the TXT record.',
      resolve: (claim) => proofOf(claim).record,
    }),
    fileUrl: t.string({
      description: 'The URL of the file that can be used instead of the DNS record.',
      resolve: (claim) => proofOf(claim).file,
    }),
    verifiedAt: t.expose('verifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the domain was verified. Null if it is not verified.',
    }),
    checkedAt: t.expose('checkedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the proof was last checked. A verified domain is checked every day. Null if the proof was never checked.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description:
        'The reason why the last check did not find the proof. Null if the check found it or the proof was never checked.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: `When a check first found that the proof of the verified domain was missing. The domain stays verified for ${graceDays} days after this time. Null if this has not happened since the last successful check.`,
    }),
  }),
})

const domainOf = defineLoader((_actor, ids) => domainsOf(ids))

builder.objectField(OAuthApp, 'domain', (t) =>
  t.field({
    type: Domain,
    nullable: true,
    description: 'The domain of the app. Null if it has none.',
    resolve: ({ id }, _args, context) => domainOf(context).load(id),
  }),
)

const DomainCreateInput = builder.inputType('OAuthAppDomainCreateInput', {
  description: 'A new domain for an app.',
  fields: (t) => ({
    domain: t.string({
      required: true,
      description:
        'The domain name. The app’s website or one of its redirect URIs must be an https URL on this domain or a subdomain.',
    }),
  }),
})

const id = { required: true, description: 'The client ID of the app.' } as const

builder.mutationFields((t) => ({
  oauthAppDomainCreate: t.field({
    type: OAuthApp,
    nullable: true,
    args: {
      id: t.arg.id(id),
      input: t.arg({ type: DomainCreateInput, required: true, description: 'The domain.' }),
    },
    description: `Sets the domain of an app and replaces any earlier domain. The new domain must then be verified. ${describeRole('workspace:manage-apps')}.`,
    resolve: (_root, args, { actor }) => claimDomain(actor, args.id, args.input),
  }),
  oauthAppDomainVerify: t.field({
    type: OAuthApp,
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Checks the ownership proof for an app’s domain immediately. The result is in the domain’s \`verifiedAt\` and \`problem\` fields. ${describeRole('workspace:manage-apps')}.`,
    resolve: (_root, args, { actor }) => verifyDomain(actor, args.id),
  }),
  oauthAppDomainDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Removes the domain of an app. Returns true. ${describeRole('workspace:manage-apps')}.`,
    resolve: async (_root, args, { actor }) => {
      await removeDomain(actor, args.id)
      return true
    },
  }),
}))

const LogoThemeType = builder.enumType('OAuthAppLogoTheme', {
  description: 'The color scheme of the pages that show a logo.',
  values: {
    LIGHT: {
      value: 'light',
      description: 'Light pages. The logo is also used on dark pages if they have no logo.',
    },
    DARK: {
      value: 'dark',
      description: 'Dark pages. The logo is also used on light pages if they have no logo.',
    },
  } satisfies Record<string, { value: LogoTheme; description: string }>,
})
const theme = {
  type: LogoThemeType,
  required: true,
  defaultValue: 'light',
  description: 'The color scheme of the logo.',
} as const

builder.mutationFields((t) => ({
  oauthAppLogoUpdate: t.field({
    type: OAuthApp,
    nullable: true,
    args: {
      id: t.arg.id(id),
      picture: t.arg.string({
        required: true,
        description:
          'A PNG, JPEG, or WebP file in base64 (RFC 4648 section 4). The image must be approximately square and at least 64 pixels on each side. The file must fit in the maximum request size. The console accepts larger files.',
      }),
      theme: t.arg(theme),
    },
    description: `Sets a logo of an OAuth app. ${describeRole('workspace:manage-apps')}.`,
    resolve: async (_root, { id, picture, theme }, { actor }) => {
      await setLogo(actor, id, theme, Buffer.from(picture, 'base64'))
      return requireApp(actor, id)
    },
  }),
  oauthAppLogoDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(id), theme: t.arg(theme) },
    description: `Deletes a logo of an OAuth app. Pages then show the other logo, or the app’s initials. Returns true. ${describeRole('workspace:manage-apps')}.`,
    resolve: async (_root, { id, theme }, { actor }) => {
      await removeLogo(actor, id, theme)
      return true
    },
  }),
}))
