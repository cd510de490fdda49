import type { AppProfile as Profile } from '@/lib/features/apps/app-profile'
import { builder } from '../builder'

/** How an app introduces itself, to its admins and to the people and admins it asks. */
export const AppProfile = builder.objectRef<Profile>('OAuthAppProfile').implement({
  description: 'How an app introduces itself beside its name and logo. Its own words: nobody checked them.',
  fields: (t) => ({
    description: t.exposeString('description', {
      nullable: true,
      description: 'What it does, in a sentence.',
    }),
    website: t.exposeString('website', { nullable: true, description: 'Where it is at home.' }),
    support: t.exposeString('support', {
      nullable: true,
      description: 'Where people get help: an email address, or the address of a page.',
    }),
    privacyUrl: t.exposeString('privacyUrl', { nullable: true, description: 'Its privacy policy.' }),
    termsUrl: t.exposeString('termsUrl', { nullable: true, description: 'Its terms.' }),
  }),
})

/** A profile as it is sent. */
export type ProfileFields = { [Name in keyof Profile]?: string | null | undefined }

/** The same as it is set; what is left out stays as it is. */
export const ProfileInput = builder.inputType('OAuthAppProfileInput', {
  description: 'How an app introduces itself; what is left out stays, and an empty text takes it away.',
  fields: (t) => ({
    description: t.string({ description: 'What it does, in a sentence: at most 200 characters.' }),
    website: t.string({ description: 'Where it is at home: https.' }),
    support: t.string({
      description: 'Where people get help: an email address, or the address of a page (https).',
    }),
    privacyUrl: t.string({ description: 'Its privacy policy: https.' }),
    termsUrl: t.string({ description: 'Its terms: https.' }),
  }),
})
