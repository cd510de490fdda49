import { allLanguages } from '@/lib/base/language/languages'
import { readLanguage, setAvatar, updateProfile } from '@/lib/features/identity/people/profile'
import { pictureAddress } from '@/lib/features/pictures/address'
import { listWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import { authorizeApp, authorizePersonal, requirePerson } from '@/lib/policy/authorize'
import type { Caller, Person } from '@/lib/policy/bearer'
import { builder } from '../builder'
import { Node } from '../nodes'
import { Workspace } from './workspace'

/** The person who asks. */
const User = builder.objectRef<Person>('User').implement({
  interfaces: [Node],
  description: 'The person who asks, or for whom an app or a token asks.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The same as `sub` in an id_token and at /oauth/me.' }),
    name: t.string({
      nullable: true,
      description: 'Their name. Apps need the scope `profile`.',
      resolve: (person, _args, { actor }) => {
        authorizeApp(actor, 'profile')
        return person.name
      },
    }),
    email: t.string({
      nullable: true,
      description:
        'Their email address. Apps need the scope `email`; workspace and project tokens may not read it.',
      resolve: (person, _args, { actor }) => {
        authorizePersonal(actor, 'email')
        return person.email
      },
    }),
    avatar: t.string({
      nullable: true,
      description:
        'The address of their picture; null without one. Apps need the scope `profile`; workspace and project tokens may not read it.',
      resolve: (person, _args, { actor }) => {
        authorizePersonal(actor, 'profile')
        return person.avatarUrl && pictureAddress(person.avatarUrl)
      },
    }),
    language: t.string({
      nullable: true,
      description: 'The language of mails to them (BCP 47), such as `de`. Not for apps.',
      resolve: (_person, _args, { actor }) => readLanguage(actor),
    }),
    workspaces: t.field({
      type: [Workspace],
      nullable: true,
      description:
        'The workspaces they have a role in, oldest first; for an app and for a confined token only those it may touch. Apps need a `workspace:*` scope.',
      resolve: (_person, _args, { actor }) => listWorkspaces(actor),
    }),
  }),
})

/** @throws AppError FORBIDDEN for an installation */
function somebody({ actor, person }: Caller): Person {
  requirePerson(actor)
  return person as Person
}

builder.queryField('me', (t) =>
  t.field({
    type: User,
    description:
      'The person who asks, or for whom an app or a token asks. Refused to an installation, which nobody stands behind.',
    resolve: (_root, _args, { caller }) => somebody(caller),
  }),
)

const UserUpdateInput = builder.inputType('UserUpdateInput', {
  description: 'What changes about the person; what is left out stays.',
  fields: (t) => ({
    name: t.string({ description: 'Their new name: 1 to 80 characters.' }),
    avatar: t.string({
      description:
        'The https address of their new picture, in place of one that was uploaded; empty for none.',
    }),
    language: t.string({
      description: `The language of mails to them: ${allLanguages.join(', ')}.`,
    }),
  }),
})

builder.mutationFields((t) => ({
  userUpdate: t.field({
    type: User,
    nullable: true,
    args: { input: t.arg({ type: UserUpdateInput, required: true, description: 'What changes.' }) },
    description:
      'Changes what others see of the person, and in which language they are written to. Not for apps.',
    resolve: async (_root, { input }, { actor, caller }) => {
      somebody(caller)
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
          'A PNG, JPEG or WebP file in base64 (RFC 4648 section 4), about square, at least 64 pixels a side. As large as a request may be; the console takes larger ones.',
      }),
    },
    description: 'Gives the person a new picture; `userUpdate` takes it away. Not for apps.',
    resolve: async (_root, { picture }, { actor, caller }) => {
      const person = somebody(caller)
      return { ...person, avatarUrl: await setAvatar(actor, Buffer.from(picture, 'base64')) }
    },
  }),
}))
