import { allLanguages } from '@/lib/base/language/languages'
import { readLanguage, setAvatar, updateProfile } from '@/lib/features/identity/users/profile'
import { pictureAddress } from '@/lib/features/pictures/address'
import { listWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import { authorizeApp, authorizePersonal, requireUser } from '@/lib/policy/authorize'
import type { Caller, User as UserRow } from '@/lib/policy/bearer'
import { builder, describeScope, notForApps } from '../builder'
import { Node } from '../nodes'
import { Workspace } from './workspace'

const User = builder.objectRef<UserRow>('User').implement({
  interfaces: [Node],
  description: 'The user on whose behalf the caller acts.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The ID of the user. It matches `sub` in ID tokens and in responses from `/oauth/me`.',
    }),
    name: t.string({
      nullable: true,
      description: `The user’s name. ${describeScope('profile')}`,
      resolve: (user, _args, { actor }) => {
        authorizeApp(actor, 'profile')
        return user.name
      },
    }),
    email: t.string({
      nullable: true,
      description: `The user’s email address. ${describeScope('email')} Not available to workspace or project tokens.`,
      resolve: (user, _args, { actor }) => {
        authorizePersonal(actor, 'email')
        return user.email
      },
    }),
    avatar: t.string({
      nullable: true,
      description: `The URL of the user’s picture. Null if there is none. ${describeScope('profile')} Not available to workspace or project tokens.`,
      resolve: (user, _args, { actor }) => {
        authorizePersonal(actor, 'profile')
        return user.avatarUrl && pictureAddress(user.avatarUrl)
      },
    }),
    language: t.string({
      nullable: true,
      description: `The language of emails to the user (BCP 47), such as \`de\`. ${notForApps}`,
      resolve: (_user, _args, { actor }) => readLanguage(actor),
    }),
    workspaces: t.field({
      type: [Workspace],
      nullable: true,
      description:
        'The workspaces in which the user has a role, oldest first. Apps and limited tokens see only the workspaces that they can access. Apps need a `workspace:*` scope.',
      resolve: (_user, _args, { actor }) => listWorkspaces(actor),
    }),
  }),
})

/** Returns the user of a caller. @throws AppError FORBIDDEN for an installation */
function userOfCaller({ actor, user }: Caller): UserRow {
  requireUser(actor)
  return user as UserRow
}

builder.queryField('me', (t) =>
  t.field({
    type: User,
    description:
      'The user on whose behalf the caller acts. Not available to app installations, which act without a user.',
    resolve: (_root, _args, { caller }) => userOfCaller(caller),
  }),
)

const UserUpdateInput = builder.inputType('UserUpdateInput', {
  description: 'Changes to the user’s profile. Omitted fields stay unchanged.',
  fields: (t) => ({
    name: t.string({ description: 'The new name: 1 to 80 characters.' }),
    avatar: t.string({
      description:
        'The https URL of the new picture, which replaces any uploaded picture. An empty string removes the picture.',
    }),
    language: t.string({
      description: `The language of emails to the user: ${allLanguages.join(', ')}.`,
    }),
  }),
})

builder.mutationFields((t) => ({
  userUpdate: t.field({
    type: User,
    nullable: true,
    args: { input: t.arg({ type: UserUpdateInput, required: true, description: 'The fields to change.' }) },
    description: `Changes the user’s public profile and email language. ${notForApps}`,
    resolve: async (_root, { input }, { actor, caller }) => {
      userOfCaller(caller)
      return updateProfile(actor, {
        name: input.name ?? undefined,
        avatarUrl: input.avatar ?? undefined,
        language: input.language ?? undefined,
      })
    },
  }),
  userAvatarUpdate: t.field({
    type: User,
    nullable: true,
    args: {
      picture: t.arg.string({
        required: true,
        description:
          'A PNG, JPEG, or WebP file in base64 (RFC 4648 section 4). The image must be approximately square and at least 64 pixels on each side. The file must fit in the maximum request size. The console accepts larger files.',
      }),
    },
    description: `Uploads a new picture for the user. To remove the picture, use \`userUpdate\`. ${notForApps}`,
    resolve: async (_root, { picture }, { actor, caller }) => {
      const user = userOfCaller(caller)
      return { ...user, avatarUrl: await setAvatar(actor, Buffer.from(picture, 'base64')) }
    },
  }),
}))
