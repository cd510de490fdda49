import { removeLogo, setLogo } from '@/lib/features/apps/change-logo'
import { requireApp } from '@/lib/features/apps/require-app'
import { builder } from '../builder'
import { takes } from '../takes'
import { OAuthApp } from './oauth-app'

const id = { required: true, description: 'The client id.' } as const

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
    },
    description: `Gives an OAuth app a new logo. ${takes('workspace:manage-apps')}.`,
    resolve: async (_root, { id, picture }, { actor }) => {
      await setLogo(actor, id, Buffer.from(picture, 'base64'))
      return requireApp(actor, id)
    },
  }),
  oauthAppLogoDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Takes the logo of an OAuth app away; its initials stand in. ${takes('workspace:manage-apps')}. Answers true.`,
    resolve: async (_root, { id }, { actor }) => {
      await removeLogo(actor, id)
      return true
    },
  }),
}))
