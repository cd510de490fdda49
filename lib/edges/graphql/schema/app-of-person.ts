import { pictureAddress } from '@/lib/features/pictures/address'
import { builder } from '../builder'

/** What is told of an app that acts for a person, whoever let it. */
type OfPerson = {
  app: {
    id: string
    name: string
    logoUrl: string | null
    workspaceName: string | null
    verified: boolean
  }
}

/** An app that acts for a person: so that one fragment reads those that they allowed and those of their companies. */
export const AppOfPerson = builder.interfaceRef<OfPerson>('AppOfPerson').implement({
  description:
    'An app that acts for the person: because they allowed it, or because a company of theirs says so.',
  fields: (t) => ({
    clientId: t.id({ description: "The app's client id.", resolve: ({ app }) => app.id }),
    name: t.string({ description: "The app's name.", resolve: ({ app }) => app.name }),
    logo: t.string({
      nullable: true,
      description: 'The address of its logo; null without one.',
      resolve: ({ app }) => app.logoUrl && pictureAddress(app.logoUrl),
    }),
    workspaceName: t.string({
      nullable: true,
      description: 'The workspace that runs it; null for an app that registered itself.',
      resolve: ({ app }) => app.workspaceName,
    }),
    verified: t.boolean({
      description: 'Whether the operator checked it.',
      resolve: ({ app }) => app.verified,
    }),
  }),
})
