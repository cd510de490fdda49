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
import { builder, takes } from '../builder'
import { defineLoader } from '../context'
import { OAuthApp } from './oauth-app'

const Domain = builder.objectRef<AppDomain>('OAuthAppDomain').implement({
  description: 'The domain that an app is to be shown with, once its admins proved it to be theirs.',
  fields: (t) => ({
    domain: t.exposeString('domain', { description: 'The domain.' }),
    proof: t.string({
      description: 'What the DNS record or the file has to say. Not a secret.',
      resolve: (claim) => proofOf(claim).text,
    }),
    recordName: t.string({
      description: 'The name of the TXT record.',
      resolve: (claim) => proofOf(claim).record,
    }),
    fileUrl: t.string({
      description: 'The address of the file, which will do instead.',
      resolve: (claim) => proofOf(claim).file,
    }),
    verifiedAt: t.expose('verifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it is proven; null while it is not.',
    }),
    checkedAt: t.expose('checkedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the proof was last looked for, which is done every day once it was found.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'What was found in its place, where the last look did not find it.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: `Since when it has not been found any more; it still counts for ${graceDays} days.`,
    }),
  }),
})

const domainOf = defineLoader((_actor, ids) => domainsOf(ids))

builder.objectField(OAuthApp, 'domain', (t) =>
  t.field({
    type: Domain,
    nullable: true,
    description: 'Its domain; null where none is named.',
    resolve: ({ id }, _args, context) => domainOf(context).load(id),
  }),
)

const DomainCreateInput = builder.inputType('OAuthAppDomainCreateInput', {
  description: 'The domain of an app.',
  fields: (t) => ({
    domain: t.string({
      required: true,
      description: "The app's website or one of its redirect URIs is an https address there or below.",
    }),
  }),
})

const id = { required: true, description: 'The client id.' } as const

builder.mutationFields((t) => ({
  oauthAppDomainCreate: t.field({
    type: OAuthApp,
    nullable: true,
    args: {
      id: t.arg.id(id),
      input: t.arg({ type: DomainCreateInput, required: true, description: 'The domain.' }),
    },
    description: `Names the domain of an app, to be proven; an earlier one is replaced. ${takes('workspace:manage-apps')}.`,
    resolve: (_root, args, { actor }) => claimDomain(actor, args.id, args.input),
  }),
  oauthAppDomainVerify: t.field({
    type: OAuthApp,
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Looks for the proof of an app's domain now; verifiedAt and problem of its domain say what was found. ${takes('workspace:manage-apps')}.`,
    resolve: (_root, args, { actor }) => verifyDomain(actor, args.id),
  }),
  oauthAppDomainDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Takes the domain of an app away. ${takes('workspace:manage-apps')}. Answers true.`,
    resolve: async (_root, args, { actor }) => {
      await removeDomain(actor, args.id)
      return true
    },
  }),
}))

const LogoThemeType = builder.enumType('OAuthAppLogoTheme', {
  description: 'Which pages a logo is for.',
  values: {
    LIGHT: { value: 'light', description: 'Light ones, and dark ones too where there is no logo for those.' },
    DARK: { value: 'dark', description: 'Dark ones, and light ones too where there is no logo for those.' },
  } satisfies Record<string, { value: LogoTheme; description: string }>,
})
const theme = {
  type: LogoThemeType,
  required: true,
  defaultValue: 'light',
  description: 'Which pages it is for.',
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
          'A PNG, JPEG or WebP file in base64 (RFC 4648 section 4), about square, at least 64 pixels a side. As large as a request may be; the console takes larger ones.',
      }),
      theme: t.arg(theme),
    },
    description: `Gives an OAuth app a new logo. ${takes('workspace:manage-apps')}.`,
    resolve: async (_root, { id, picture, theme }, { actor }) => {
      await setLogo(actor, id, theme, Buffer.from(picture, 'base64'))
      return requireApp(actor, id)
    },
  }),
  oauthAppLogoDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(id), theme: t.arg(theme) },
    description: `Takes a logo of an OAuth app away; the other one stands in, or else its initials. ${takes('workspace:manage-apps')}. Answers true.`,
    resolve: async (_root, { id, theme }, { actor }) => {
      await removeLogo(actor, id, theme)
      return true
    },
  }),
}))
