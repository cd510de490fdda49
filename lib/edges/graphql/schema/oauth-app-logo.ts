import { type LogoTheme, removeLogo, setLogo } from '@/lib/features/apps/change-logo'
import { requireApp } from '@/lib/features/apps/require-app'
import { builder } from '../builder'
import { takes } from '../takes'
import { OAuthApp } from './oauth-app'

const LogoThemeType = builder.enumType('OAuthAppLogoTheme', {
  description: 'Which pages a logo is for.',
  values: {
    LIGHT: { value: 'light', description: 'Light ones, and dark ones too where there is no logo for those.' },
    DARK: { value: 'dark', description: 'Dark ones, and light ones too where there is no logo for those.' },
  } satisfies Record<string, { value: LogoTheme; description: string }>,
})

const id = { required: true, description: 'The client id.' } as const
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
